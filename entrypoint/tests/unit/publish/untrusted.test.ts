/** run.json as a stranger may write it: which parts are accepted, and the cost of reading it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { numbersOnly } from '../../../publish/untrusted.ts'
import { cpuMs } from '../../cpu-time.ts'

const note = {
  ...{ job: '1', block: 1, position: 1, workload: 'invoice', load: 'high', revision: 'head', mode: 'swoole', attempt: 1 },
  ...{ errors: { timeout: 2 }, little: 0.99, idle: true },
}
const run = {
  ...{
    schema: 1,
    job: '1',
    seed: 7,
    looks: 1,
    modes: ['fpm', 'swoole'],
    connections: 16,
    instances: 'pool',
    ungated: [{ workload: 'orders', why: 'redefined' }],
    probes_ms: [1.5],
  },
  commits: { head: 'a'.repeat(40), base: null },
  plan: { blocks: 1, runs: 4, cells: [{ workload: 'invoice', load: 'high', concurrency: 8, warmup_s: 1, window_s: 2 }] },
  runs: [note],
}
const text = (changes: object): string => JSON.stringify({ ...run, ...changes })
const MIB = 2 ** 20

describe('a run.json', () => {
  test('is accepted without its unknown fields', () => {
    const strange = { warnings: ['<img src=x>'], facts: { deep: [[[1]]] }, runs: [{ ...note, status: { any: 'text' } }] }
    assert.deepEqual(numbersOnly(text(strange)), run)
  })

  const BEFORE = '"schema":1,'
  const hostile: [string, () => string][] = [
    ['a number too big for a number', () => text({}).replace('"probes_ms":[1.5]', '"probes_ms":[1e999]')],
    ['a count too big to count', () => text({}).replace('"connections":16', '"connections":1e300')],
    ['a reason of theirs for what is not gated', () => text({ ungated: [{ workload: 'orders', why: '<script>' }] })],
    ['a count below zero', () => text({ connections: -1 })],
    ['a number in quotes', () => text({ seed: '7' })],
    ['a name with a line', () => text({ runs: [{ ...note, workload: 'a\nb' }] })],
    ['a name that is a site', () => text({ runs: [{ ...note, workload: 'https://evil.example' }] })],
    ['a name that nobody can see', () => text({ job: '\u202e1' })],
    ['an error that is a sentence', () => text({ runs: [{ ...note, errors: { 'visit us now': 1 } }] })],
    [
      'more kinds of errors than there are',
      () =>
        text({
          runs: [
            {
              ...note,
              errors: Object.fromEntries(
                Array.from({ length: 50 }, (_, i) => [`kind-${'abcdefghij'[i % 10]}${'abcdefghij'[Math.floor(i / 10)]}`, 1]),
              ),
            },
          ],
        }),
    ],
    ['no JSON', () => '<html>'],
    ['nothing', () => ''],
    ['null', () => 'null'],
    ['brackets without end', () => '['.repeat(16 * MIB)],
    ['brackets with an end', () => `{${BEFORE}"facts":${'['.repeat(8 * MIB)}${']'.repeat(8 * MIB)}}`],
    ['objects in objects', () => `{${BEFORE}"facts":${'{"a":'.repeat(2 * MIB)}1${'}'.repeat(2 * MIB)}}`],
    ['millions of objects', () => `{${BEFORE}"facts":[${'{},'.repeat(5 * MIB)}{}]}`],
    ['one string', () => `"${'x'.repeat(16 * MIB)}"`],
    ['a string of backslashes', () => `"${'\\'.repeat(16 * MIB)}`],
  ]
  for (const [name, make] of hostile)
    test(`with ${name} is refused quickly`, () => {
      const content = make()
      const took = cpuMs(() => assert.equal(numbersOnly(content), undefined))
      assert.ok(took < 1000, `${took} ms`)
    })

  test('cannot change the prototype of all objects', () => {
    const polluted = text({}).replace('{"schema"', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"schema"')
    assert.deepEqual(numbersOnly(polluted), run)
    const errors = numbersOnly(text({}).replace('{"timeout":2}', '{"__proto__":{"timeout":2}}'))?.runs[0]?.errors
    assert.equal(JSON.stringify(errors), '{}')
    assert.equal(({} as { polluted?: number }).polluted, undefined)
  })

  test('may have brackets in its names', () => {
    assert.deepEqual(numbersOnly(text({ warnings: ['['.repeat(100), '\\"[['.repeat(100), '{"'.repeat(100)] })), run)
  })
})
