/** Samples -> outcome, with where to look first if it is a regression. */
import { join } from 'node:path'
import type { MeasuredJob } from '../measure/run-plan.ts'
import { replace } from '../measure/run-record.ts'
import type { Job } from '../system/job.ts'
import { differencesOf } from './differences.ts'
import { analyseJob } from './judge.ts'
import type { Outcome } from './outcome.ts'
import { suspects } from './suspects.ts'

export async function conclude(measured: MeasuredJob, job: Job): Promise<Outcome> {
  const { inputs, settled, checked } = measured
  const { revisions, served } = settled
  const outcome = { ...(await analyseJob(measured, job, { report: true })), baseLabel: revisions.base?.label }
  if (outcome.verdict !== 'regressed') return outcome
  const differences = await differencesOf(revisions, checked, served.head, inputs.workspace)
  if (!differences) return outcome
  const summary = outcome.summary + suspects(differences)
  replace(join(inputs.out, 'summary.md'), summary)
  return { ...outcome, summary }
}
