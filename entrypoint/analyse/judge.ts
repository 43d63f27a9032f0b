/** Runs the analysis on the measured files, for a verdict or for the open cells. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { MeasuredJob } from '../measure/run-plan.ts'
import type { PlannedJob } from '../plan/plan-job.ts'
import { Cancelled } from '../system/errors.ts'
import type { Job } from '../system/job.ts'
import { analyse } from './analyse.ts'
import { exitCodeOf, type Outcome } from './outcome.ts'
import type { AnalyseRequest } from './request.ts'

/** `workload/load` of the cells that need more samples. */
export async function openCells(planned: PlannedJob, look: number, job: Job): Promise<string[]> {
  const { analysis } = await analyseJob(planned, job, { look, report: false })
  return (analysis?.open ?? []).map(({ workload, load }) => `${workload}/${load}`)
}

/** The verdict on all measurements. */
export function judge(measured: MeasuredJob, job: Job, differences: string[] | undefined): Promise<Outcome> {
  return analyseJob(measured, job, { look: measured.measured.look, report: true, differences })
}

/** @throws Cancelled if R was stopped with the job, which is no failure of the analysis */
async function analyseJob(
  { inputs, settled, tools, plan }: PlannedJob,
  job: Job,
  { look, report, differences }: Pick<AnalyseRequest, 'look' | 'report' | 'differences'>,
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
    look,
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
