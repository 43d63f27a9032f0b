/** What sidecars use, and the sentence about one that is too busy. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Measured } from '../../../measure/measured.ts'
import { cpusOf, grown, inBrief, keyOf, sidecarWarnings, tooBusy } from '../../../measure/sidecar-use.ts'

test('CPU time between readings adds up over the slices of a window', () => {
  const slices = [grown({ upstream: 1_000_000 }, { upstream: 1_500_000 }), grown({ upstream: 2_000_000 }, { upstream: 2_250_000 })]
  assert.deepEqual(cpusOf(slices, 1.5), { upstream: 0.5 })
  assert.deepEqual(cpusOf([{}, {}], 2), {})
})

test('a line of progress names each sidecar that is there', () => {
  assert.equal(inBrief({}), '')
  assert.equal(inBrief({ relay: 0.551, upstream: 0.1 }), ', relay 0.55 CPU, upstream 0.10 CPU')
})

test('one that is too busy is named with what makes its work less', () => {
  assert.deepEqual(tooBusy('a', { upstream: 0.75 }), [])
  assert.deepEqual(tooBusy('upstream/high on swoole', { relay: 0.1, upstream: 0.9 }), [
    'upstream/high on swoole: the slow upstream used 0.90 of a CPU (allowed: 0.75), so it would limit the answers. Use fewer connections, or a longer delay.',
  ])
  assert.deepEqual([keyOf({ relay: 0.9 }), keyOf({ relay: 0.1, upstream: 0.9 })], ['latency', 'workloads'])
})

test('a mode and cell is warned of once, with its busiest run', () => {
  const note = (mode: string, upstream?: number) => ({ workload: 'upstream', load: 'high', mode, upstream_cpus: upstream })
  const notes = [note('fpm', 0.1), note('swoole', 0.8), note('swoole', 0.95), note('swoole', 0.2), note('fibers')]
  const warnings = sidecarWarnings({ notes } as unknown as Measured)
  assert.equal(warnings.length, 1)
  assert.match(warnings[0] ?? '', /^upstream\/high on swoole: the slow upstream used 0\.95 of a CPU/)
})
