import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { errorKind, heyArguments, parseHey, percentile, windowOf } from '../load.ts'
import { workWasDone } from '../run.ts'
import type { Workload } from '../types.ts'

const cell = (changes: Partial<Workload> = {}) => ({
  workload: { name: 'a', path: '/a/{id}?b=1', method: 'GET', headers: {}, expect: { status: 200 }, mask: [], ...changes },
  load: { name: 'high', concurrency: 32 },
})
const output = (errors: object | null, lats: number[] | null, offsets: number[] | null, codes: number[] | null): string =>
  JSON.stringify({ total: 1, num: 1, errors: Buffer.from(JSON.stringify(errors)).toString('hex'), lats, offsets, codes })

describe('hey', () => {
  test('gets one CPU, no compression, no redirects, and the path last', () => {
    const args = heyArguments('http://h:1', cell(), 3.1)
    assert.equal(args.at(-1), 'http://h:1/a/1?b=1')
    for (const [name, value] of [
      ['-z', '3.1s'],
      ['-c', '32'],
      ['-cpus', '1'],
      ['-t', '10'],
    ] as const)
      assert.equal(args[args.indexOf(name) + 1], value)
    assert.ok(args.includes('-disable-compression') && args.includes('-disable-redirects'))
  })

  test('sends method, headers, type and body as they are', () => {
    const args = heyArguments(
      'http://h:1',
      cell({ method: 'POST', body: '$(id)', headers: { 'Content-Type': 'application/json', 'X-A': '`b`' } }),
      1,
    )
    assert.deepEqual(args.slice(args.indexOf('-m'), -1), ['-m', 'POST', '-T', 'application/json', '-H', 'X-A: `b`', '-d', '$(id)'])
  })

  test('is read even when the whole run failed', () => {
    const report = parseHey(
      output(
        {
          'Get "http://127.0.0.1:1/": dial tcp 127.0.0.1:40001: connect: connection refused': 3,
          'dial tcp 127.0.0.1:40002: connect: connection refused': 4,
        },
        null,
        null,
        null,
      ),
    )
    assert.deepEqual(report, { offsetsS: [], latenciesS: [], statuses: [], errors: { refused: 7 } })
  })

  test('is refused when it prints something else', () => {
    assert.throws(() => parseHey('\n'), /unexpected/)
    assert.throws(() => parseHey(output({}, [1], [1, 2], [200])), /different lengths/)
  })

  test('has errors by kind', () => {
    assert.deepEqual(
      ['context deadline exceeded (Client.Timeout exceeded)', 'read: connection reset by peer', 'EOF', 'odd'].map(errorKind),
      ['timeout', 'reset', 'closed', 'other'],
    )
  })
})

describe('a window', () => {
  const report = {
    offsetsS: [0.5, 0.9, 1.1, 2.5, 2.9, 1.5],
    latenciesS: [0.4, 0.2, 0.3, 0.5, 0.2, 0.1],
    statuses: [200, 200, 200, 200, 200, 500],
    errors: {},
  }

  test('holds what was answered in it: no warm-up, no draining', () => {
    // Answered at 0.9 (warm-up), 1.1, 1.4, 3.0 (the end belongs to it), 3.1 (draining), 1.6 (status 500).
    const window = windowOf(report, 1, 3, 200)
    assert.equal(window.succeeded, 3)
    assert.equal(window.wrongStatus, 1)
    assert.deepEqual(window.latenciesMs, [200, 300, 500])
    assert.equal(window.halfRatio, 0.5)
  })

  test('without success in its first half has no ratio', () => assert.equal(windowOf(report, 2.9, 3.5, 201).halfRatio, null))

  test('gives nearest-rank percentiles', () => {
    const numbers = Array.from({ length: 100 }, (_, i) => i + 1)
    assert.deepEqual(
      [50, 95, 99].map((p) => percentile(numbers, p)),
      [50, 95, 99],
    )
    assert.equal(percentile([], 50), null)
  })
})

test('statements must match the successes; given-up requests may add theirs', () => {
  const done = (made: number): boolean => workWasDone({ insert: 14 }, { insert: 100 }, { insert: 100 + made }, 10, 2)
  assert.deepEqual([139, 140, 140 + 4 * 14, 140 + 4 * 14 + 1].map(done), [false, true, true, false])
})
