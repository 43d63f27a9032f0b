/** Whether the blocks of a stranger's data are those of a measurement, and which look they belong to. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Config } from '../../../config/schema.ts'
import type { JobText } from '../../../publish/coverage.ts'
import { checkSchedule, lookOf, missingBlocks } from '../../../publish/schedule.ts'
import { type Cells, config, configOf, jobOf } from './job-of.ts'

/** Blocks of both cells up to `both`, then of fibonacci alone. */
const adapted = (both: number, blocks: number, run: object = { looks: 4 }): JobText =>
  jobOf((row) => (row.workload === 'invoice' && Number(row.block) > both ? null : row), blocks, run)

describe('the look', () => {
  const looks = (job: JobText, of: Config = config): [number, number] => {
    const { looks, look } = lookOf([job], of)
    return [looks, look]
  }
  test('is the only one if blocks are fixed, there are several jobs, or ten blocks had to suffice', () => {
    const claims = { looks: 4, look: 4 }
    assert.deepEqual(looks(jobOf(undefined, 10, claims), configOf('blocks: 10')), [1, 1])
    assert.deepEqual(looks(jobOf(undefined, 6, claims), configOf('profile: quick')), [1, 1])
    assert.deepEqual(lookOf([jobOf(undefined, 10, claims), jobOf()], config), { looks: 1, look: 1 })
    assert.deepEqual(looks(jobOf()), [1, 1])
  })
  test('follows from the quads, whatever run.json says', () => {
    assert.deepEqual(looks(jobOf(undefined, 20)), [4, 4], 'one look at 20 blocks was not planned')
    assert.deepEqual(looks(jobOf(undefined, 6, { looks: 4, look: 4 })), [4, 1])
    assert.deepEqual(looks(jobOf(undefined, 10, { looks: 4, look: 4 })), [4, 2])
    assert.deepEqual(looks(jobOf(undefined, 20, { looks: 4, look: 1 })), [4, 4])
    // 6 of one cell and 14 of the other; then 24.
    assert.deepEqual(looks(adapted(6, 14)), [4, 2])
    assert.deepEqual(looks(adapted(6, 24)), [4, 3])
  })
  test('is run.json’s if slow cells had fewer quads in their time', () => {
    // 17 quads of two cells: the second look, or the third if they were slow.
    assert.deepEqual(looks(adapted(6, 11, { looks: 4, look: 2 })), [4, 2])
    assert.deepEqual(looks(adapted(6, 15, { looks: 4, look: 3 })), [4, 3])
    assert.deepEqual(looks(adapted(6, 15, { looks: 4, look: 4 })), [4, 3], 'the fourth has 20 blocks at least')
  })
})

describe('the blocks', () => {
  const refused = (job: JobText, message: RegExp, of: Config = config): void =>
    assert.throws(() => checkSchedule([job], of), { name: 'MeasurementError', message })
  test('of a job that measures open cells further', () => {
    for (const job of [jobOf(), jobOf(undefined, 20), adapted(6, 34), adapted(10, 30), adapted(6, 6)]) checkSchedule([job], config)
  })
  test('are no more than a job has', () => {
    refused(jobOf(undefined, 21), /found 42 quads of cells, a job has 40 at most/)
    refused(adapted(6, 35), /found block 35, a job has 34 at most/)
    refused(jobOf(undefined, 11), /found block 11, a job has 10 at most/, configOf('blocks: 10'))
  })
  test('lose no quad between looks', () => {
    const without = (...lost: string[]) =>
      jobOf((row: Cells) => (lost.includes(`${row.block} ${row.workload}`) ? null : row), 20, { looks: 4 })
    refused(without('3 invoice'), /block 3 has the cells fibonacci\/low: no look is before it/)
    refused(without('8 invoice', '12 invoice', '15 fibonacci'), /block 13 has the cells fibonacci\/low, invoice\/low: no look is before it/)
    checkSchedule([without('7 invoice', '8 invoice')], config)
  })
  test('of cells that are not gated do not count', () => {
    const ungated = [{ workload: 'invoice', why: 'redefined' }]
    checkSchedule([jobOf((row) => (row.workload === 'invoice' && row.block === '3' ? null : row), 20, { looks: 4, ungated })], config)
  })
})

describe('the plan', () => {
  const one = [jobOf()]
  test('missing blocks are reported, and too few to gate are refused', () => {
    assert.deepEqual(missingBlocks(10, false, one, config), [])
    assert.deepEqual(missingBlocks(8, false, one, config), ['8 of 10 planned blocks are complete.'])
    assert.throws(() => missingBlocks(5, false, one, config), /5 of 10 planned blocks are complete; below 6 nothing can be gated/)
    assert.deepEqual(missingBlocks(2, false, one, configOf('blocks: 2')), [], 'as it was planned')
    assert.deepEqual(missingBlocks(6, false, one, configOf('profile: quick')), [])
    assert.deepEqual(missingBlocks(6, false, [adapted(6, 14)], config), [])
    assert.throws(() => missingBlocks(5, false, [adapted(6, 14)], config), /5 of 6 planned blocks/)
  })

  test('a look that was due but not taken is reported', () => {
    const stopped = [jobOf(undefined, 10, { looks: 4 })]
    assert.match(missingBlocks(10, true, stopped, config)[0] ?? '', /^10 blocks did not decide, but the measurement did not continue/)
    assert.deepEqual(missingBlocks(10, false, stopped, config), [])
    assert.deepEqual(missingBlocks(6, true, [adapted(6, 34)], config), [])
  })
})
