/** Workers that were idle while requests waited. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { blockingWarnings, idleWhileRequestsWait } from '../../../measure/blocking.ts'
import type { Measured, RunNote } from '../../../measure/measured.ts'
import type { Sample } from '../../../measure/samples.ts'

/** Two workers that block 20 ms in each of 16 simultaneous requests, and compute for 1 ms of them. */
const blocked = { concurrency: 16, goodput_rps: 100, cpu_us_per_request: 1000 } as Sample
const alone = (...most: number[]): Record<string, unknown> => ({ of: 2, workers: most.map((most_at_once) => ({ pid: 1, most_at_once })) })

describe('idle workers while requests wait', () => {
  test('are reported if no worker ever had two requests in progress', () => {
    assert.deepEqual(idleWhileRequestsWait(blocked, { status: alone(1, 1), busy: 0.2 }), { share: 0.95, waitMs: 19 })
  })
  for (const [what, sample, status] of [
    ['requests overlapped in one of them', blocked, alone(1, 7)],
    ['a worker was not heard', blocked, alone(1)],
    ['there are no counters', blocked, undefined],
    ['the counters are those of php-fpm', blocked, { 'listen queue': 3, 'idle processes': 0 }],
    ['there was one request for each worker', { ...blocked, concurrency: 2 }, alone(1, 1)],
    ['the workers computed', { ...blocked, cpu_us_per_request: 15_000 }, alone(1, 1)],
    ['hey was slower than they', { ...blocked, goodput_rps: 24_000, cpu_us_per_request: 30 }, alone(1, 1)],
    ['nothing was answered', { ...blocked, goodput_rps: 0, cpu_us_per_request: null }, alone(1, 1)],
  ] as const) {
    test(`are not reported if ${what}`, () => assert.equal(idleWhileRequestsWait(sample, { status, busy: 0.2 }), undefined))
  }
  for (const busy of [0.9, undefined]) {
    test(`are not reported if the share of used CPU time is ${busy}: hey or a neighbour may have had the CPUs`, () =>
      assert.equal(idleWhileRequestsWait(blocked, { status: alone(1, 1), busy }), undefined))
  }
  test('are reported per mode, cell and revision in which most runs show them', () => {
    const runs = (revision: string, ...peaks: number[]) => peaks.map((peak) => ({ revision, peak }))
    const all = [...runs('base', 1, 1, 2, 2), ...runs('head', 1, 2, 1)]
    const notes = all.map(
      ({ revision, peak }) =>
        ({ revision, mode: 'swoole', workload: 'home', load: 'low', status: alone(1, peak), busy: 0.3 }) as unknown as RunNote,
    )
    const warnings = blockingWarnings({ look: 1, samples: all.map(() => blocked), notes, probesMs: [], reruns: [] } satisfies Measured)
    assert.equal(warnings.length, 1)
    assert.match(
      warnings[0] ?? '',
      /^swoole, home\/low, head: workers were idle for 95 % of the time while requests waited.*Is a call blocking\?.*19 ms/,
    )
    const atRate = notes.map((note) => ({ ...note, little: null }))
    assert.deepEqual(blockingWarnings({ look: 1, samples: all.map(() => blocked), notes: atRate, probesMs: [], reruns: [] }), [])
  })
})
