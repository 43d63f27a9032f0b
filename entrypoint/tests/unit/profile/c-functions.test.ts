/** Which C functions grew: callgrind's format, the growth per request, and what the functions mean. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PlannedJob } from '../../../plan/plan-job.ts'
import { costsIn, grownC, meaningsOf, totalOf } from '../../../profile/c-functions.ts'
import { explainInstructions } from '../../../profile/explain-instructions.ts'
import { instructionBlock, instructionSection } from '../../../profile/instruction-block.ts'
import type { Job } from '../../../system/job.ts'

const dump = `# callgrind format
version: 1
positions: line
events: Ir
summary: 60

ob=(1) /usr/bin/php8.2
fl=(1) ???
fn=(1) compile_file
0 10
cob=(2) /usr/lib/libc.so.6
cfi=(2) malloc.c
cfn=(2) malloc
calls=1 0 
0 900
+3 5

fn=(3) 0x00000000001b7e10'2
0 7
* 1

fn=(4) 0x00000000001b8620
0 2

ob=(2)
fl=(2)
fn=(2)
12 30

ob=(1)
fn=(1)
-3 5
totals: 60
`

test("a function's own instructions are added, and those of the functions that it calls are theirs", () => {
  assert.deepEqual(Object.fromEntries(costsIn([dump])), {
    'compile_file (php8.2)': 20,
    'functions without a symbol (php8.2)': 10,
    'malloc (libc.so.6)': 30,
  })
  // Processes are added. Each has its own numbers for names.
  const other = 'ob=(1) /opt/x.so\nfn=(1) other\n0 4\n'
  assert.equal(costsIn([dump, other, dump]).get('malloc (libc.so.6)'), 60)
  assert.equal(costsIn([dump, other]).get('other (x.so)'), 4)
})

const counted = (requests: number, costs: Record<string, number>) => ({ requests, costs: new Map(Object.entries(costs)) })
const base = counted(10, { 'execute_ex (php)': 1000, 'malloc (libc)': 200, 'gone (php)': 100 })
const head = counted(20, {
  'execute_ex (php)': 2020,
  'malloc (libc)': 600,
  'lex_scan (php)': 4000,
  'zendparse (php)': 3000,
  'new_thing (php)': 800,
})

test('growth is per request, the largest first, and what hardly grew is left out', () => {
  assert.equal(totalOf(base), 130)
  assert.deepEqual(
    grownC(base, head).map(({ name, base: of, head: to }) => [name, of, to]),
    [
      ['lex_scan (php)', 0, 200],
      ['zendparse (php)', 0, 150],
      ['new_thing (php)', 0, 40],
      ['malloc (libc)', 20, 30],
    ],
  )
})

test('known functions have a meaning, told once and the largest first', () => {
  const [compiled, allocated] = meaningsOf(grownC(base, head))
  assert.match(compiled ?? '', /^PHP code is compiled in each request: OPcache is off, a path is new/)
  assert.equal(allocated, 'memory is allocated and freed')
  const one = (name: string) => meaningsOf(grownC(counted(1, {}), counted(1, { [`${name} (php)`]: 9 })))[0] ?? ''
  assert.match(one('gc_possible_root'), /cycles/)
  assert.match(one('zif_json_encode'), /JSON/)
  assert.match(one('php_pcre_match_impl'), /regular expressions/)
  assert.match(one('_emalloc'), /memory/)
  assert.equal(one('nobody_knows'), '')
})

test('an unknown library, a name that is not declared, and other text are no obstacle', () => {
  assert.deepEqual(
    [...costsIn(['', 'text\n\0', 'fn=(1) f\n0 4\nfn=(9)\n0 5\n'])],
    [
      ['f (???)', 4],
      ['(9) (???)', 5],
    ],
  )
  // The linker compares names with strcmp, but so does everybody.
  assert.deepEqual(meaningsOf(grownC(counted(1, {}), counted(1, { 'strcmp (libc.so.6)': 9 }))), [])
})

test('if no function grew, no table is shown', () => {
  const cell = { cell: 'home/low', mode: 'swoole', counts: { base, head: base } }
  for (const text of [instructionBlock([cell]), instructionSection(cell)]) {
    assert.match(text, /130 in base\. No function executes more by itself\./)
    assert.doesNotMatch(text, /C function \(library\)/)
  }
})

test('names of strangers cannot end their place', () => {
  const evil = counted(1, { 'a|`</details><img src=x> @octocat (x.so)': 9 })
  const cell = { cell: 'home/low', mode: 'swoole', counts: { base: counted(1, {}), head: evil } }
  assert.match(instructionBlock([cell]), /\| `a\?\?\?\/details\?\?img src=x\? @octocat \(x\.so\)` \| 0 \| 9 \|/)
  assert.doesNotMatch(instructionSection(cell), /<img/)
})

test('cells are no longer counted once it has taken two minutes', async (t) => {
  t.mock.timers.enable({ apis: ['Date'] })
  const restore = async (): Promise<never> => {
    t.mock.timers.tick(121_000)
    throw new Error('slow')
  }
  const cells = ['a', 'b'].map((name) => ({ workload: { name }, load: { name: 'low' } }))
  const planned = {
    settled: { modes: [{}, { name: 'swoole' }], gated: cells },
    engine: { counters: async () => ['valgrind'], restore },
    ...{ inputs: { out: '/nowhere' }, tools: { hey: 'hey' } },
  } as unknown as PlannedJob
  const judged = cells.map(({ workload }) => ({ workload: workload.name, load: 'low', change: 0.5, verdict: 'regressed' }))
  const job = { say: () => {}, signal: new AbortController().signal } as unknown as Job
  const block = (await explainInstructions(planned, judged, job)) ?? ''
  assert.match(block, /`a\/low` on `swoole`: not counted by function, because slow\./)
  assert.match(block, /`b\/low` on `swoole`: not counted by function, because the time for it was over\./)
})

test('summary and report show the same, and why a cell has no count', () => {
  const cell = { cell: 'home/low', mode: 'swoole', counts: { base, head } }
  const block = instructionBlock([cell])
  assert.match(
    block,
    /`home\/low` on `swoole`: 521 instructions per request in head, 130 in base\. Most of the known growth: PHP code is compiled/,
  )
  assert.match(block, /\| `lex_scan \(php\)` \| 0 \| 200 \| \+200 \| PHP code is compiled/)
  assert.match(instructionSection(cell), /<td>lex_scan \(php\)<\/td><td>0<\/td><td>200<\/td><td>\+200<\/td><td>PHP code is compiled/)
  const without = { ...cell, counts: 'Valgrind is not installed' }
  assert.match(instructionBlock([without]), /not counted by function, because Valgrind is not installed\./)
  assert.match(instructionSection(without), /Not counted by function, because Valgrind is not installed\./)
})
