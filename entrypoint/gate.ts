/** The pipeline as a table of contents: each stage takes the result of the one before it. */
import { conclude } from './analyse/conclude.ts'
import { openCells } from './analyse/judge.ts'
import type { Outcome } from './analyse/outcome.ts'
import { checkProduction } from './checks/check-production.ts'
import type { Inputs } from './config/inputs.ts'
import { setUp } from './engines/set-up.ts'
import { countInstructions } from './measure/instructions/count-instructions.ts'
import { pilotCells } from './measure/pilot-cells.ts'
import { type MeasuredJob, runPlan } from './measure/run-plan.ts'
import { searchLoads } from './measure/search-loads.ts'
import { refuseImpossibleBudget } from './plan/budget.ts'
import { type PlannedJob, planJob } from './plan/plan-job.ts'
import { refuseUncountable } from './plan/work.ts'
import { checkArms } from './preflight/check-arms.ts'
import type { Settled } from './revisions/settle.ts'
import { MeasurementError } from './system/errors.ts'
import type { Job } from './system/job.ts'

/** Serves, checks and plans: all stages before the measurement. @param settled the comparison and its rules, from settle() */
export async function prepare(settled: Settled, inputs: Inputs, job: Job): Promise<PlannedJob> {
  refuseImpossibleBudget(settled)
  refuseUncountable(settled, inputs.study)
  const bench = await searchLoads(await setUp(settled, inputs, job), job)
  const checked = await checkArms(bench, job)
  return planJob(await pilotCells(checked, job), job)
}

/** Only plans. @throws MeasurementError if the pilot cannot serve the app */
export async function plan(settled: Settled, inputs: Inputs, job: Job): Promise<PlannedJob> {
  const planned = await prepare(settled, inputs, job)
  if (planned.fallen.length > 0) throw new MeasurementError(planned.fallen.join('\n'))
  return planned
}

/** Measures, without a verdict. */
export async function measure(settled: Settled, inputs: Inputs, job: Job): Promise<MeasuredJob> {
  const planned = await prepare(settled, inputs, job)
  return countInstructions(await runPlan(planned, job, (look) => openCells(planned, look, job)), job)
}

/** All stages, up to the verdict. */
export async function gate(settled: Settled, inputs: Inputs, job: Job): Promise<Outcome> {
  return conclude(await checkProduction(await measure(settled, inputs, job), job), job)
}
