/** Latencies of the pilot -> a plan that fits the budget, and what it promises. */
import { seconds } from '../config/schema.ts'
import type { CheckedBench } from '../preflight/check-arms.ts'
import type { Job } from '../system/job.ts'
import { cellName, makePlan, type Plan } from './plan.ts'
import { predict } from './prediction.ts'
import type { PilotResult } from './timing.ts'

/** What a plan is made from. */
export interface PilotedBench extends CheckedBench {
  /** By `workload/load`. */
  latencies: ReadonlyMap<string, PilotResult>
  /** Workloads that base does not have. */
  newInHead: ReadonlySet<string>
  /** What head cannot serve and base can. The measurement goes on, to show it. */
  fallen: string[]
}

export interface PlannedJob extends PilotedBench {
  plan: Plan
}

export async function planJob(bench: PilotedBench, { say }: Job): Promise<PlannedJob> {
  const { inputs, settled, tools, latencies, newInHead } = bench
  const { gated, reported, modes, rules, revisions } = settled
  const hasBase = revisions.base !== undefined
  const plan = makePlan(
    {
      modes,
      gated,
      reported,
      newInHead,
      hasBase,
      quick: rules.profile === 'quick',
      budgetS: seconds(rules.budget),
      blocks: rules.blocks,
      seed: inputs.seed,
      job: inputs.job,
    },
    latencies,
  )
  for (const line of await predict(plan, modes.length, hasBase, rules, tools.rscript)) say(line)
  for (const cell of plan.leftOut) say(`note: ${cellName(cell)} is not gated, and the budget has no room to report it`)
  return { ...bench, plan }
}
