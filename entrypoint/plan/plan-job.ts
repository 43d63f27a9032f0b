/** Makes a plan from the pilot's latencies that fits the budget, and predicts its resolution. */

import type { Comparison } from '../config/comparison.ts'
import { seconds } from '../config/durations.ts'
import type { Cell } from '../config/experiment.ts'
import type { CheckedBench } from '../preflight/check-arms.ts'
import { InputError } from '../system/errors.ts'
import type { Job } from '../system/job.ts'
import { cellName } from './blocks.ts'
import { type Counting, chooseCounting, countingSeconds, type NoCounting } from './counting.ts'
import { makePlan, type Plan } from './plan.ts'
import { predict } from './prediction.ts'
import type { PilotResult } from './timing.ts'

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

export async function planJob(bench: PilotedBench, { say }: Job): Promise<PlannedJob> {
  const { inputs, settled, tools, latencies, newInHead, engine } = bench
  const { gated, reported, modes, rules, revisions } = settled
  const hasBase = revisions.base !== undefined
  const wanted = chooseCounting({ rules, modes, hasBase, counters: await engine.counters() })
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

/** Cells whose instructions are compared: gated cells that base has. */
export function countedCells(gated: readonly Cell[], newInHead: ReadonlySet<string>): Cell[] {
  return gated.filter(({ workload }) => !newInHead.has(workload.name))
}

function countingLine(counting: Counting | NoCounting): string {
  if ('counter' in counting) return `plan: instructions per request, ${counting.repetitions} repetitions with ${counting.counter}`
  return `plan: instructions are not counted${counting.why ? `: ${counting.why}` : ''}`
}
