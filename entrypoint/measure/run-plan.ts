/** Measures a plan, and writes the samples to disk. */
import { join } from 'node:path'
import { cellName } from '../plan/blocks.ts'
import type { PlannedJob } from '../plan/plan-job.ts'
import type { Job } from '../system/job.ts'
import { measure } from './measure.ts'
import type { Measured } from './measured.ts'
import { forgetLater, type RunRecord, SAMPLES, writeResults } from './run-record.ts'

export interface MeasuredJob extends PlannedJob {
  measured: Measured
}

/** @param openCells returns the cells that need more samples than those on disk; called at each look but the last */
export async function runPlan(planned: PlannedJob, job: Job, openCells: (look: number) => Promise<string[]>): Promise<MeasuredJob> {
  const { engine, inputs, settled, tools, plan } = planned
  const { out } = inputs
  const record = recordOf(planned)
  forgetLater(out)
  const measured = await measure(plan, {
    engine,
    hey: tools.hey,
    patience: job.patience,
    signal: job.signal,
    say: job.say,
    deciding: new Set((settled.gated.length > 0 ? settled.gated : settled.reported).map(cellName)),
    keep: (soFar) => writeResults(out, record, soFar),
    openCells,
  })
  // A plan without blocks has the file, too: with its header alone.
  writeResults(out, record, measured)
  if (plan.runs > 0) job.say(`${measured.samples.length} runs in ${join(out, SAMPLES)}`)
  return { ...planned, measured }
}

/** The facts for the files of a job, besides its measurements. */
export function recordOf({ engine, inputs, settled, tools, plan, checked, counting }: PlannedJob): RunRecord {
  const { revisions, ...comparison } = settled
  const uncounted = 'counter' in counting || !counting.why ? [] : [`Instructions were not counted: ${counting.why}.`]
  return {
    comparison,
    study: inputs.study,
    plan,
    revisions,
    versions: tools.versions,
    engine: engine.describe(),
    preflight: checked,
    uncounted,
  }
}
