import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Workload } from '../../../config/catalog.ts'
import { errorKind, heyArguments, lagOf, parseHey, percentile, windowOf } from '../../../measure/hey.ts'
import { workWasDone } from '../../../measure/run-result.ts'

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

  test('asks for the first id, in path, headers and body', () => {
    const args = heyArguments('http://h:1', cell({ method: 'PUT', ids: ['9', '8'], headers: { 'X-User': '{id}' }, body: 'id={id}' }), 1)
    assert.deepEqual(args.slice(args.indexOf('-m')), ['-m', 'PUT', '-H', 'X-User: 9', '-d', 'id=9', 'http://h:1/a/9?b=1'])
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

describe("hey's own clock", () => {
  test('is found by the first answers after pauses', () => {
    // Spawned at 0, its clock begins at 0.03; held at 1, 2 and 3, each time for half a second.
    const ends = [0.5, 0.96, 1.471, 1.9, 2.472, 2.9, 3.47, 3.6]
    const report = { offsetsS: ends.map((end) => end - 0.01), latenciesS: ends.map(() => 0.01), statuses: ends.map(() => 200), errors: {} }
    const pauses = [1, 2, 3].map((heldS) => ({ heldS, resumedS: heldS + 0.5 }))
    assert.ok(Math.abs(lagOf(report, pauses) - 0.029) < 1e-9)
    assert.equal(lagOf(report, []), 0)
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
    const window = windowOf(report, [{ resumedS: 0, fromS: 1, toS: 3 }], 200)
    assert.equal(window.succeeded, 3)
    assert.equal(window.wrongStatus, 1)
    assert.deepEqual(window.latenciesMs, [200, 300, 500])
    assert.equal(window.halfRatio, 0.5)
  })

  test('without success in its first half has no ratio', () =>
    assert.equal(windowOf(report, [{ resumedS: 0, fromS: 2.9, toS: 3.5 }], 201).halfRatio, null))

  test('of several slices leaves out what is between them, and what was in flight when hey was held', () => {
    const spans = [
      { resumedS: 0, fromS: 1, toS: 2 },
      { resumedS: 2.45, fromS: 2.5, toS: 3.5 },
    ]
    // Answered at 1.1 and 1.4, and at 3.1; begun at 2.5, answered at 3.0; begun at 2.4 while held, answered at 2.6.
    const held = {
      ...report,
      offsetsS: [...report.offsetsS, 2.4],
      latenciesS: [...report.latenciesS, 0.2],
      statuses: [...report.statuses, 200],
    }
    const window = windowOf(held, spans, 200)
    assert.deepEqual(window.latenciesMs, [200, 200, 300, 500])
    assert.equal(window.halfRatio, 1)
    assert.equal(window.wrongStatus, 1)
  })

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
