/** Measured files -> verdict, by the analysis in R. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { PlannedJob } from '../plan/plan-job.ts'
import { Cancelled } from '../system/errors.ts'
import type { Job } from '../system/job.ts'
import { analyse } from './analyse.ts'
import { exitCodeOf, type Outcome } from './outcome.ts'
import type { AnalyseRequest } from './request.ts'

/** Whether the samples so far are enough for a verdict. */
export async function isDecided(planned: PlannedJob, job: Job): Promise<boolean> {
  return (await analyseJob(planned, job, { report: false })).verdict !== 'inconclusive'
}

/** @throws Cancelled if R was stopped with everything else: that is no failure of the analysis */
export async function analyseJob(
  { inputs, settled, tools, plan }: PlannedJob,
  job: Job,
  { report, differences }: Pick<AnalyseRequest, 'report' | 'differences'>,
): Promise<Outcome> {
  const { out } = inputs
  const { modes, rules, coverage } = settled
  const run = join(out, 'run.json')
  const { analysis, summary } = await analyse({
    rscript: tools.rscript as string,
    samples: [join(out, 'samples.csv')],
    out,
    run: existsSync(run) ? run : undefined,
    modes: modes.map((mode) => mode.name),
    gate: rules.gate,
    looks: plan.looks,
    report,
    differences,
  }).catch((error) => {
    throw job.signal.aborted ? new Cancelled('The analysis was cancelled.') : error
  })
  return {
    verdict: analysis.verdict,
    reasons: analysis.reasons,
    parts: { analysis: summary },
    exitCode: exitCodeOf(analysis.verdict),
    analysis,
    coverage,
  }
}
