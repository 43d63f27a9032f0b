/** The sentence about the rate at which modes part. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Measured } from '../../../measure/measured.ts'
import { ratesOf } from '../../../measure/rates.ts'
import type { Plan } from '../../../plan/plan.ts'

const modes = [{ name: 'fpm' }, { name: 'swoole' }]
const planned = (...rates: (number | undefined)[]): Plan =>
  ({
    modes,
    cells: rates.map((rate) => ({ cell: { workload: { name: 'orders' }, load: { name: `r${rate}`, concurrency: 16, rate } } })),
  }) as unknown as Plan

/** Rates as they were answered, three runs of each. */
const measured = (answered: Record<number, [fpm: number, swoole: number]>): Measured => {
  const samples = Object.entries(answered).flatMap(([rate, of]) =>
    modes.flatMap(({ name }, i) =>
      [0, 1, 2].map((run) => ({
        ...{ workload: 'orders', load: `r${rate}`, mode: name, goodput_rps: run === 0 ? 1 : (of[i] as number), p99_ms: 10 * (i + 1) },
      })),
    ),
  )
  return { samples } as unknown as Measured
}

describe('rates', () => {
  test('the lowest rate at which one mode keeps up and another does not', () => {
    const plan = planned(400, 100, 200)
    assert.deepEqual(ratesOf(plan, measured({ 100: [99, 100], 200: [150, 199], 400: [160, 200] })), [
      '`orders`: the modes part at 200 requests per second: `fpm` answers 150 with a p99 of 10 ms; `swoole` answers 199 with a p99 of 20 ms.',
    ])
  })

  test('modes that all keep up, or all do not', () => {
    assert.match(
      ratesOf(planned(100, 200), measured({ 100: [99, 100], 200: [198, 199] }))[0] ?? '',
      /every mode keeps up with 200 .* higher rate\.$/,
    )
    assert.match(
      ratesOf(planned(100, 200), measured({ 100: [99, 100], 200: [150, 140] }))[0] ?? '',
      /at 200 .* no mode keeps up: `fpm` answers 150/,
    )
  })

  test('loads without a rate, and rates that were not measured yet, say nothing', () => {
    assert.deepEqual(ratesOf(planned(undefined), measured({})), [])
    assert.deepEqual(ratesOf(planned(100), measured({})), [])
  })
})
