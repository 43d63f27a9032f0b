/** Random input from a seed: configurations, files of strangers, patterns. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseConfig } from '../../../config/parse.ts'
import { workloadsOf } from '../../../config/workloads.ts'
import { masked } from '../../../preflight/mask.ts'
import { numbersOnly } from '../../../publish/untrusted.ts'
import { InputError, MeasurementError } from '../../../system/errors.ts'
import { repetitions } from '../../thorough.ts'

/** Numbers in [0, n) from a seed, so that a failure can be repeated (Park and Miller 1988). */
function random(seed: number): (n: number) => number {
  let state = seed
  return (n) => {
    state = (state * 48271) % 2147483647
    return state % n
  }
}

const ODD = [
  ...[
    '',
    '~',
    'null',
    '-1',
    '1e999',
    '[]',
    '{}',
    '[[[[',
    '{a: {b: {c: ',
    '"',
    "'",
    '\\',
    '*x',
    '&x',
    '!!js/function',
    '<<: *a',
    '\u0000',
    '\ufeff',
    '\t',
    '💥',
  ],
  ...[
    '; rm -rf /',
    '$(id)',
    '`id`',
    '<script>',
    '@everyone',
    '::set-output name=x::y',
    '../../etc/passwd',
    '/etc/passwd',
    '(a+)+$',
    '__proto__',
    'constructor',
  ],
]
const SEED = `app: bench/app.php
modes: [fpm, swoole]
workloads: [fibonacci, { name: a, path: "/x?y={id}", headers: { A: b }, expect: { status: 200, contains: z }, mask: ["[0-9]+"] }]
loads: { low: { concurrency: 4 } }
budget: 5m
gate: { max-regression: 5, min-gain: { a: 1.5 } }
docker: { image: "a:{commit}", memory: 2g, build-args: { A: b } }
database: mysql://u:p@h:1
php: { ini: { memory_limit: 64M } }
env: { A: b }
setup: [run]
`

const COUNT = repetitions(10_000)

test(`${COUNT} configurations are read, or refused with their place`, () => {
  const below = random(7)
  let read = 0
  for (let i = 0; i < COUNT; i++) {
    let text = SEED
    for (let n = 1 + below(4); n > 0; n--) {
      const at = below(text.length)
      const odd = ODD[below(ODD.length)] as string
      const length = below(3) === 0 ? below(40) : 0
      text = below(4) === 0 ? text.slice(0, at) + text.slice(at + 1 + below(30)) : text.slice(0, at) + odd + text.slice(at + length)
    }
    try {
      workloadsOf(parseConfig(text, 'c.yml'))
      read++
    } catch (error) {
      assert.ok(error instanceof InputError, `${error}\n${(error as Error).stack}\n${text}`)
      assert.match(error.message, /^(c\.yml(:\d+)?: |modes|workloads|input: )/)
    }
  }
  assert.ok(read > COUNT / 100 && read < 0.99 * COUNT, `${read} were read`)
  assert.equal(({} as Record<string, unknown>).polluted, undefined)
})

test(`${COUNT} run.json of strangers are reduced to known fields, or left out`, () => {
  const below = random(9)
  const runs = [
    {
      job: '1',
      block: 1,
      position: 1,
      workload: 'a',
      load: 'b',
      revision: 'head',
      mode: 'fpm',
      attempt: 1,
      errors: {},
      little: 1,
      idle: true,
    },
  ]
  const commits = { head: 'a'.repeat(40), base: null }
  const right = {
    schema: 1,
    job: '1',
    seed: 1,
    looks: 1,
    modes: ['fpm'],
    connections: 16,
    instances: 'pool',
    commits,
    ungated: [],
    plan: { blocks: 1, runs: 1, cells: [] },
    statements: { 'head/fpm': { a: { select: 13 } } },
    probes_ms: [1],
    runs,
  }
  const text = JSON.stringify({ ...right, warnings: ['<script>'], facts: { machine: '@all' } })
  assert.deepEqual(numbersOnly(text), right)
  let taken = 0
  for (let i = 0; i < COUNT; i++) {
    const at = below(text.length)
    const odd = ODD[below(ODD.length)] as string
    const result = numbersOnly(text.slice(0, at) + odd + text.slice(at + below(10)))
    if (result) taken++
    // It contains no text of the stranger.
    assert.doesNotMatch(JSON.stringify(result ?? null), /[<>@$;|\\`(]/)
  }
  assert.ok(taken > COUNT / 200 && taken < 0.995 * COUNT, `${taken} were taken`)
  assert.equal(numbersOnly(undefined), undefined)
})

test('a pattern that backtracks endlessly is refused in time', () => {
  assert.equal(masked('id 12, id 7', ['[0-9]+', 'id']), '* *, * *')
  assert.throws(() => masked(`${'a'.repeat(40)}b`, ['(a+)+$'], 200), MeasurementError)
})
