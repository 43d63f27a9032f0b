/** The line of a run, from its observations. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { workWasDone } from '../../../measure/run-result.ts'
import { type Observation, type Slice, summarise } from '../../../measure/summarise.ts'

const SPAWNED = 1_000_000
/** A moment, in seconds since hey was spawned, at which some CPU time in milliseconds was used. */
const clock = (s: number, cpuMs = 0) => ({ at: SPAWNED + s * 1000, cpuUs: cpuMs * 1000 })
const slice = (fromS: number, toS: number, cpuMs = 0): Slice => ({ pause: undefined, start: clock(fromS), end: clock(toS, cpuMs) })

/** Answers by the second of their arrival, each after 100 ms. */
const output = (ends: number[], statuses = ends.map(() => 200), errors: Record<string, number> = {}) => ({
  offsetsS: ends.map((end) => end - 0.1),
  latenciesS: ends.map(() => 0.1),
  statuses,
  errors,
})

const cell = {
  workload: { name: 'a', path: '/a', method: 'GET', headers: {}, expect: { status: 200 }, mask: [] },
  load: { name: 'one', concurrency: 1 },
}

const seen = (changes: Partial<Observation> = {}): Observation => ({
  startedAt: new Date(SPAWNED),
  spawnedAt: SPAWNED,
  output: output([0.5, 1.5, 2.5, 3.5]),
  slices: [slice(1, 3, 8)],
  usages: [1024, 4096, 2048].map((memoryKib, i) => ({ ...clock(i + 1), memoryKib })),
  lost: false,
  counted: undefined,
  ...changes,
})

const summaryOf = (changes: Partial<Observation> = {}) => summarise(seen(changes), cell)

describe('a run', () => {
  test('is summarised over its window, without warm-up and tail', () => {
    const { line, errors, little } = summaryOf()
    assert.deepEqual(errors, {})
    assert.deepEqual(
      { ...line, p50_ms: Math.round(line.p50_ms ?? 0), p95_ms: null, p99_ms: null, max_ms: null },
      {
        started_at: '1970-01-01T00:16:40.000Z',
        duration_s: 2,
        requests: 2,
        succeeded: 2,
        failed: 0,
        goodput_rps: 1,
        p50_ms: 100,
        p95_ms: null,
        p99_ms: null,
        max_ms: null,
        cpu_us_per_request: 4000,
        peak_memory_mib: 4,
        memory_growth_kib_per_1k: 512_000,
        half_ratio: 1,
      },
    )
    assert.ok(Math.abs((little ?? 0) - 0.1) < 1e-9)
  })

  test('at a fixed rate has corrected percentiles, and no law of Little', () => {
    // Two connections with a request every 100 ms each. One answer takes 500 ms.
    const answers = { ...output([1.5, 2, 2.5]), offsetsS: [1.45, 1.5, 2.45], latenciesS: [0.05, 0.5, 0.05] }
    const rated = { ...cell, load: { name: 'some', concurrency: 2, rate: 20 } }
    const { line, little } = summarise(seen({ output: answers }), rated)
    assert.deepEqual(
      [line.p50_ms, line.p95_ms, line.max_ms, little].map((n) => n && Math.round(n)),
      [200, 500, 500, null],
    )
    assert.equal(line.succeeded, 3)
  })

  test("that took turns counts requests begun after each pause, on hey's own clock", () => {
    // Spawned at 0, hey's clock begins at 0.05: held from 1.05 to 2.05, it answers what was in its sockets at 2 of its own.
    const pause = { heldAt: SPAWNED + 1050, resumedAt: SPAWNED + 2050 }
    const slices = [{ pause, start: clock(2.15), end: clock(3.15, 4) }]
    const answers = { ...output([0.5, 2, 2.5, 3, 3.5]), offsetsS: [0.4, 0.9, 2.4, 2.9, 3.4], latenciesS: [0.1, 1.1, 0.1, 0.1, 0.1] }
    const { line } = summaryOf({ slices, output: answers })
    assert.equal(line.succeeded, 2)
    assert.ok(Math.abs(line.duration_s - 1) < 1e-9)
    assert.equal(line.cpu_us_per_request, 2000)
  })

  test('counts wrong answers of its window and every transport error', () => {
    const { line, errors } = summaryOf({ output: output([0.5, 1.5, 2.5], [500, 500, 200], { timeout: 3 }) })
    assert.deepEqual(errors, { timeout: 3, 'wrong-status': 1 })
    assert.deepEqual([line.requests, line.succeeded, line.failed, line.goodput_rps], [5, 1, 4, 0.5])
  })

  test('with a lost server process has goodput 0', () => {
    const { line, errors, little } = summaryOf({ lost: true })
    assert.deepEqual(errors, { 'worker-lost': 1 })
    assert.deepEqual([line.goodput_rps, line.requests, line.failed, line.p50_ms, little], [0, 2, 2, null, null])
  })

  test('whose database saw fewer statements than were answered has goodput 0', () => {
    const counted = (made: number): Observation['counted'] => ({
      perRequest: { insert: 5 },
      before: { insert: 7 },
      after: { insert: 7 + made },
    })
    assert.deepEqual(summaryOf({ counted: counted(19) }).errors, { 'wrong-statements': 1 })
    assert.equal(summaryOf({ counted: counted(19) }).line.goodput_rps, 0)
    assert.deepEqual(summaryOf({ counted: counted(20) }).errors, {})
  })

  test('without an answer is one failed request, over the time of its window', () => {
    const { line, errors } = summaryOf({ output: output([]) })
    assert.deepEqual(errors, {})
    assert.deepEqual([line.duration_s, line.requests, line.failed, line.goodput_rps], [2, 1, 1, 0])
  })

  test('leaves out missing values', () => {
    const { line } = summaryOf({ usages: [], slices: [slice(1, 3)] })
    assert.deepEqual([line.peak_memory_mib, line.memory_growth_kib_per_1k, line.cpu_us_per_request], [null, null, null])
  })
})

test('statements must match the successes; given-up requests may add theirs', () => {
  const done = (made: number): boolean => workWasDone({ insert: 14 }, { insert: 100 }, { insert: 100 + made }, 10, 2)
  assert.deepEqual([139, 140, 140 + 4 * 14, 140 + 4 * 14 + 1].map(done), [false, true, true, false])
})
