/** Makes a plan from the pilot's latencies that fits the budget, and predicts its resolution. */

import type { Comparison } from '../config/comparison.ts'
import { seconds } from '../config/durations.ts'
import type { CheckedBench } from '../preflight/check-arms.ts'
import { InputError } from '../system/errors.ts'
import type { Job } from '../system/job.ts'
import { cellName } from './blocks.ts'
import { type Counting, chooseCounting, countedCells, countingSeconds, type NoCounting } from './counting.ts'
import { makePlan, type Plan } from './plan.ts'
import { predict } from './prediction.ts'
import type { PilotResult } from './timing.ts'
import { workLines, workPlan } from './work.ts'

/** The data from which a plan is made. */
export interface PilotedBench extends CheckedBench {
  /** By `workload/load`. */
  latencies: ReadonlyMap<string, PilotResult>
  /** Workloads that base does not have. */
  newInHead: ReadonlySet<string>
  /** Cells that base can serve and head cannot. The measurement continues, to show them. */
  fallen: string[]
}

export interface PlannedJob extends PilotedBench {
  plan: Plan
  /** How instructions are counted, or why not. */
  counting: Counting | NoCounting
}

export async function planJob(bench: PilotedBench, job: Job): Promise<PlannedJob> {
  const { settled, engine } = bench
  const { modes, rules, revisions } = settled
  const counting = chooseCounting({ rules, modes, hasBase: revisions.base !== undefined, counters: await engine.counters() })
  return rules.profile === 'work' ? planWork(bench, counting, job) : planBlocks(bench, counting, job)
}

/** Counts alone. */
function planWork(bench: PilotedBench, counting: Counting | NoCounting, { say }: Job): PlannedJob {
  const { inputs, settled, newInHead, engine } = bench
  const { gated, modes, revisions } = settled
  const request = { modes, gated, newInHead, hasBase: revisions.base !== undefined, seed: inputs.seed, job: inputs.job }
  const plan = workPlan(request, counting, engine.appCpus)
  for (const line of workLines(plan, counting, modes)) say(line)
  if (!('counter' in counting)) say(countingLine(counting))
  return { ...bench, plan, counting }
}

async function planBlocks(bench: PilotedBench, wanted: Counting | NoCounting, { say }: Job): Promise<PlannedJob> {
  const { inputs, settled, tools, latencies, newInHead, engine } = bench
  const { gated, reported, modes, rules, revisions } = settled
  const hasBase = revisions.base !== undefined
  const plan = makePlan(
    {
      modes,
      gated,
      reported,
      newInHead,
      hasBase,
      isJudged: isJudged({ rules, modes, hasBase, study: inputs.study }),
      quick: rules.profile === 'quick',
      budgetS: seconds(rules.budget),
      budgetPlace: settled.placeOf('budget'),
      blocks: rules.blocks,
      countingS: 'counter' in wanted ? countingSeconds(wanted, countedCells(gated, newInHead), modes, engine.appCpus) : 0,
      seed: inputs.seed,
      job: inputs.job,
    },
    latencies,
  )
  for (const line of await predict(plan, modes.length, hasBase, rules, tools.rscript)) say(line)
  for (const cell of plan.leftOut) say(`note: ${cellName(cell)} is not gated, and the budget has no room to report it`)
  if (!plan.hasCounting && rules.instructions !== 'auto') {
    throw new InputError(
      `${settled.placeOf('budget')}budget: found ${rules.budget}, too short for the blocks and instructions: ${rules.instructions}`,
    )
  }
  const counting = plan.hasCounting ? wanted : { why: 'the budget has no room beside the blocks' }
  say(countingLine(counting))
  return { ...bench, plan, counting }
}

/** Whether anything is judged, so that more blocks may decide it. */
export function isJudged({ rules, modes, hasBase, study }: Judged): boolean {
  return !study && modes.length > 1 && (hasBase || rules.gate['min-gain'] !== null)
}

interface Judged extends Pick<Comparison, 'rules' | 'modes'> {
  hasBase: boolean
  study: boolean
}

function countingLine(counting: Counting | NoCounting): string {
  if ('counter' in counting) return `plan: instructions per request, ${counting.repetitions} repetitions with ${counting.counter}`
  return `plan: instructions are not counted${counting.why ? `: ${counting.why}` : ''}`
}
