/** Measures the blocks of the plan, quad by quad, each run on a fresh server. */
import { blocksUntil, firstBlocks, type PlannedBlock } from '../plan/blocks.ts'
import type { Plan } from '../plan/plan.ts'
import { fallsOf } from './fallen-arms.ts'
import type { Measured } from './measured.ts'
import { Progress } from './progress.ts'
import { measureQuad, type QuadOptions, type Underway } from './quad.ts'

export interface MeasureOptions extends QuadOptions {
  /**
   * Called at each look but the last. Returns `workload/load` of the cells that need more quads. If it returns none, the measurement
   * ends.
   */
  openCells: (look: number) => Promise<string[]>
}

/**
 * If an arm of head keeps failing while base's does not, the measurement ends after that block, because the analysis can decide.
 *
 * @throws MeasurementError if an arm of base, or of both, keeps failing, or the database is gone; @throws Cancelled on a signal
 */
export async function measure(plan: Plan, options: MeasureOptions): Promise<Measured> {
  const measured: Measured = { look: 1, samples: [], notes: [], probesMs: [], reruns: [] }
  const underway: Underway = { plan, options, measured, progress: new Progress(plan.runs, options.say) }
  const done: PlannedBlock[] = []
  let next = firstBlocks(plan)
  while (next.length > 0) {
    for (const block of next) {
      await measureBlock(underway, block, runsIn(done))
      done.push(block)
      const fall = fallsOf(measured, plan.modes, options.deciding).find(({ of }) => of === 'head')
      if (fall) {
        options.say(`${fall.message}\nThe measurement ends here: head answers with errors.`)
        return measured
      }
    }
    next = await afterLook(plan, done, measured, options)
  }
  return measured
}

/** The blocks of the open cells. None after the last look. */
async function afterLook(plan: Plan, done: PlannedBlock[], measured: Measured, options: MeasureOptions): Promise<PlannedBlock[]> {
  const { look } = measured
  if (look === plan.lookAt.length) return []
  const open = await options.openCells(look)
  options.say(`look ${look} of ${plan.lookAt.length}: ${open.length > 0 ? `more quads of ${open.join(', ')}` : 'decided'}`)
  const next = blocksUntil(plan, look + 1, done, open)
  if (next.length > 0) measured.look++
  return next
}

/** @param runsBefore the number of planned runs in earlier blocks */
async function measureBlock(underway: Underway, { block, quads }: PlannedBlock, runsBefore: number): Promise<void> {
  for (const [i, quad] of quads.entries()) {
    await measureQuad(underway, { block, quad, runsBefore: runsBefore + runsIn([{ block, quads: quads.slice(0, i) }]) })
  }
}

function runsIn(blocks: readonly PlannedBlock[]): number {
  return blocks.flatMap(({ quads }) => quads).reduce((sum, { arms }) => sum + arms.length, 0)
}
