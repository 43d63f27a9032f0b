/** Samples -> outcome, with why runs failed, and where to look first if it is a regression. */
import { join } from 'node:path'
import { type FailedRun, shownFailures } from '../measure/failure.ts'
import type { MeasuredJob } from '../measure/run-plan.ts'
import { replace } from '../measure/run-record.ts'
import type { Job } from '../system/job.ts'
import { differencesOf } from './differences.ts'
import { failureInALine, whyRunsFailed } from './failures.ts'
import { analyseJob } from './judge.ts'
import type { Outcome } from './outcome.ts'
import { suspects } from './suspects.ts'

export async function conclude(measured: MeasuredJob, job: Job): Promise<Outcome> {
  const { inputs, settled, checked } = measured
  const { revisions, served } = settled
  const judged = { ...(await analyseJob(measured, job, { report: true })), baseLabel: revisions.base?.label }
  const failures = shownFailures(measured.measured.notes)
  const outcome = failures.length ? withFailures(judged, failures, inputs.out) : judged
  if (outcome.verdict !== 'regressed') return outcome
  const differences = await differencesOf(revisions, checked, served.head, inputs.workspace)
  return differences ? extended(outcome, suspects(differences), inputs.out) : outcome
}

function withFailures(outcome: Outcome, failures: readonly FailedRun[], out: string): Outcome {
  return extended({ ...outcome, reasons: [...outcome.reasons, ...failures.map(failureInALine)] }, whyRunsFailed(failures), out)
}

/** @param block of Markdown, for the end of the summary */
function extended(outcome: Outcome, block: string, out: string): Outcome {
  const summary = outcome.summary + block
  replace(join(out, 'summary.md'), summary)
  return { ...outcome, summary }
}
