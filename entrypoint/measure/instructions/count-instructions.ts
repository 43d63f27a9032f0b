/** Counts instructions and adds the counts to measured blocks. */
import { join } from 'node:path'
import { countedCells } from '../../plan/counting.ts'
import { Cancelled } from '../../system/errors.ts'
import type { Job } from '../../system/job.ts'
import { type MeasuredJob, recordOf } from '../run-plan.ts'
import { COUNTS, writeCounts } from '../run-record.ts'
import { count } from './count.ts'

/** @throws Cancelled on a signal; MeasurementError if the database or the daemon is gone */
export async function countInstructions(measured: MeasuredJob, job: Job): Promise<MeasuredJob> {
  const { counting, plan, settled, newInHead, engine, tools, inputs } = measured
  const cells = countedCells(settled.gated, newInHead)
  const blocks = new Set(measured.measured.samples.map(({ block }) => block)).size
  // Head answered with errors before the first look. That decides the verdict.
  const hasEnded = blocks < (plan.lookAt[0] as number)
  if (hasEnded) return measured
  const record = recordOf(measured)
  if (!('counter' in counting) || cells.length === 0) {
    // Where nothing else is measured, the file says that nothing was counted.
    if (plan.runs === 0) writeCounts(inputs.out, record, measured.measured, [])
    return measured
  }
  if (job.signal.aborted) throw new Cancelled('The measurement was cancelled.')
  const request = { ...counting, job: plan.job, seed: plan.seed, cells, modes: settled.modes }
  const { counts, failures } = await count(request, { engine, hey: tools.hey, signal: job.signal, say: job.say })
  writeCounts(inputs.out, { ...record, uncounted: [...record.uncounted, ...failures] }, measured.measured, counts)
  job.say(`${counts.length} counts in ${join(inputs.out, COUNTS)}`)
  return measured
}
