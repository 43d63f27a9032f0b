/** Judges the samples. Adds the reasons of failed runs and, for a regression or always, the suspects and profiles. */
import { shownFailures } from '../measure/failure.ts'
import type { MeasuredJob } from '../measure/run-plan.ts'
import { explainTime } from '../profile/explain.ts'
import { explainInstructions } from '../profile/explain-instructions.ts'
import type { Job } from '../system/job.ts'
import { differencesOf } from './differences.ts'
import { drawSearch } from './draw-search.ts'
import { failureInALine, whyRunsFailed } from './failures.ts'
import { judge } from './judge.ts'
import type { Outcome } from './outcome.ts'
import { blockOf, suspects } from './suspects.ts'

export async function conclude(measured: MeasuredJob, job: Job): Promise<Outcome> {
  const { inputs, settled, checked } = measured
  const { revisions, served } = settled
  const differences = await differencesOf(revisions, checked, served.head, inputs.workspace)
  const listed = differences && suspects(differences)
  const judged = { ...(await judge(measured, job, listed)), baseLabel: revisions.base?.label }
  await drawSearch(measured, job)
  const failures = shownFailures(measured.measured.notes)
  const outcome = failures.length
    ? { ...detailed(judged, whyRunsFailed(failures)), reasons: [...judged.reasons, ...failures.map(failureInALine)] }
    : judged
  const hasRegressed = outcome.verdict === 'regressed'
  const isAlways = settled.rules.explain === 'always' && !inputs.study && outcome.verdict !== 'invalid'
  if (!hasRegressed && !isAlways) return outcome
  // A broken check already names its route. Only lost time is profiled.
  const isTimed = outcome.analysis?.metric === 'goodput'
  const isSlower = (outcome.analysis?.timing_verdict ?? outcome.verdict) === 'regressed'
  // A cell may have lost CPU time and no goodput.
  const timed = [...(outcome.analysis?.cells ?? []), ...(outcome.analysis?.metrics.cpu?.cells ?? [])]
  const profiles = isTimed && (isSlower || isAlways) ? await explainTime(measured, timed, job) : undefined
  const lost = outcome.analysis?.metrics.instructions?.cells.filter(({ verdict }) => verdict === 'regressed') ?? []
  const functions = lost.length > 0 ? await explainInstructions(measured, lost, job) : undefined
  return detailed(outcome, ...[hasRegressed && listed && blockOf(listed), profiles, functions].filter((block) => typeof block === 'string'))
}

/** @param blocks Markdown for the end of the summary */
function detailed(outcome: Outcome, ...blocks: string[]): Outcome {
  return { ...outcome, parts: { ...outcome.parts, details: [...(outcome.parts.details ?? []), ...blocks] } }
}
