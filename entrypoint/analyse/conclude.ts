/** Samples -> outcome, with why runs failed, and where to look first if it is a regression. */
import { shownFailures } from '../measure/failure.ts'
import type { MeasuredJob } from '../measure/run-plan.ts'
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
  const outcome = failures.length
    ? { ...detailed(judged, whyRunsFailed(failures)), reasons: [...judged.reasons, ...failures.map(failureInALine)] }
    : judged
  if (outcome.verdict !== 'regressed') return outcome
  const differences = await differencesOf(revisions, checked, served.head, inputs.workspace)
  return differences ? detailed(outcome, suspects(differences)) : outcome
}

/** @param block of Markdown, for the end of the summary */
function detailed(outcome: Outcome, block: string): Outcome {
  return { ...outcome, parts: { ...outcome.parts, details: [...(outcome.parts.details ?? []), block] } }
}
