/** What sidecars use, and the sentence about one that is too busy. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Measured } from '../../../measure/measured.ts'
import { grown, inBrief, keyOf, sidecarWarnings, tooBusy, windowsOf } from '../../../measure/sidecar-use.ts'

const use = (cpuUs: number, late: Record<string, number> = {}) => ({ cpuUs, late })

test('CPU time between readings adds up over the slices of a window', () => {
  const slices = [
    grown({ upstream: use(1_000_000) }, { upstream: use(1_500_000) }),
    grown({ upstream: use(2_000_000) }, { upstream: use(2_250_000) }),
  ]
  assert.deepEqual(windowsOf(slices, 1.5), { upstream: { cpus: 0.5, p99LateMs: undefined } })
  assert.deepEqual(windowsOf([{}, {}], 2), {})
})

test('lateness counts the answers of the window alone, whatever their order', () => {
  const before = use(0, { 9000: 50, 100: 1000 })
  const after = use(0, { 9000: 50, 100: 1970, 250: 20, 400: 5 })
  const rest = use(0, { 9000: 55, 100: 1970, 250: 20, 400: 5 })
  const first = grown({ relay: before }, { relay: after })
  assert.equal(windowsOf([first], 1).relay?.p99LateMs, 0.25)
  const second = grown({ relay: after }, { relay: rest })
  assert.equal(windowsOf([second], 1).relay?.p99LateMs, 9)
  // 1,000 answers: 970, 20, 5 and 5.
  assert.equal(windowsOf([second, first], 1).relay?.p99LateMs, 0.25)
  assert.equal(windowsOf([grown({ relay: after }, { relay: after })], 1).relay?.p99LateMs, undefined)
})

test('a line of progress names each sidecar that is there', () => {
  assert.equal(inBrief({}), '')
  const windows = { relay: { cpus: 0.551, p99LateMs: 0.214 }, upstream: { cpus: 0.1 } }
  assert.equal(inBrief(windows), ', relay 0.55 CPU, p99 0.21 ms late, upstream 0.10 CPU')
})

test('one that is too busy is named with what makes its work less', () => {
  assert.deepEqual(tooBusy('a', { upstream: { cpus: 0.75 } }), [])
  assert.deepEqual(tooBusy('upstream/high on swoole', { relay: { cpus: 0.1 }, upstream: { cpus: 0.9 } }), [
    'upstream/high on swoole: the slow upstream used 0.90 of a CPU (allowed: 0.75), so it would limit the answers. Use fewer connections, or a longer delay.',
  ])
  assert.deepEqual([keyOf({ relay: { cpus: 0.9 } }), keyOf({ relay: { cpus: 0.1 }, upstream: { cpus: 0.9 } })], ['latency', 'workloads'])
})

test('a mode and cell is warned of once, with its busiest run', () => {
  const note = (mode: string, upstream?: number) => ({ workload: 'upstream', load: 'high', mode, upstream_cpus: upstream })
  const notes = [note('fpm', 0.1), note('swoole', 0.8), note('swoole', 0.95), note('swoole', 0.2), note('fibers')]
  const warnings = sidecarWarnings({ notes } as unknown as Measured, {})
  assert.equal(warnings.length, 1)
  assert.match(warnings[0] ?? '', /^upstream\/high on swoole: the slow upstream used 0\.95 of a CPU/)
})

test('a mode and cell is warned of if its median run is later than the shortest delay', () => {
  const note = (mode: string, ms?: number) => ({ workload: 'page', load: 'high', mode, relay_p99_late_ms: ms })
  const notes = [
    note('fpm', 0.3),
    note('swoole', 0.6),
    note('fpm', 7),
    note('swoole', 0.9),
    note('fpm', 0.2),
    note('swoole', 0.4),
    note('fibers'),
  ]
  const warnings = (latency: { database?: number; redis?: number }) => sidecarWarnings({ notes } as unknown as Measured, latency)
  assert.deepEqual(warnings({ database: 1, redis: 0.5 }), [
    'The relay of `latency` was late in page/high on swoole: 1 % of its answers left more than 0.60 ms after their delay, which is 0.5 ms. So the services were farther away than configured. Use fewer connections, or a machine with more CPUs.',
  ])
  assert.match(warnings({ database: 0.2 })[0] ?? '', /^The relay of `latency` was late in page\/high on swoole \(and 1 more\): /)
  assert.deepEqual(warnings({ database: 1 }), [])
})
