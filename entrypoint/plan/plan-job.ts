/** Arms that answer -> a plan that fits the budget, and what it promises. */

import type { Cell } from '../config/experiment.ts'
import { seconds } from '../config/schema.ts'
import { pilot } from '../measure/pilot.ts'
import { IDLE_LIMIT_MS } from '../measure/run.ts'
import type { CheckedBench } from '../preflight/check-arms.ts'
import type { Job } from '../system/job.ts'
import type { Plan } from './plan.ts'
import { cellName, makePlan } from './plan.ts'
import { predict } from './prediction.ts'

export interface PlannedJob extends CheckedBench {
  plan: Plan
  /** What head cannot serve and base can, as the pilot found it. The measurement goes on, to show it. */
  fallen: string[]
}

export async function planJob(bench: CheckedBench, { say, signal }: Job): Promise<PlannedJob> {
  const { engine, inputs, settled, tools, checked } = bench
  const { gated, reported, modes, rules, revisions, ungated } = settled
  const running = { engine, hey: tools.hey, idleLimitMs: IDLE_LIMIT_MS, signal, say }
  const hasBase = revisions.base !== undefined
  const newToBase = ungated.flatMap(({ workload, why }) => (why === 'new' ? [workload] : []))
  const newInHead = new Set([...checked.newInHead, ...newToBase])
  const isInBase = ({ workload }: Cell): boolean => hasBase && !newInHead.has(workload.name)
  const { results, fallen } = await pilot([...gated, ...reported], modes, { ...running, isInBase })
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
    results,
  )
  for (const line of await predict(plan, modes.length, hasBase, rules, tools.rscript)) say(line)
  for (const cell of plan.leftOut) say(`note: ${cellName(cell)} is not gated, and the budget has no room to report it`)
  return { ...bench, plan, fallen }
}
