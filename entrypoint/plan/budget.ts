/** The least time that a plan can take. It is known before anything is installed or served. Pure. */
import type { Comparison } from '../config/comparison.ts'
import { seconds } from '../config/durations.ts'
import { InputError } from '../system/errors.ts'
import { cellName } from './blocks.ts'
import { blocksWanted } from './plan.ts'
import { shortestQuadS } from './timing.ts'

/**
 * A lower bound, because the pilot may find slower answers.
 *
 * @throws InputError with the smallest possible budget
 */
export function refuseImpossibleBudget({ rules, placeOf, modes, gated, reported, served }: Comparison): void {
  // Counts need no budget.
  if (rules.profile === 'work') return
  const deciding = gated.length > 0 ? gated : reported
  const blocks = blocksWanted(rules.blocks, rules.profile === 'quick')
  const needed = blocks * deciding.length * shortestQuadS(modes.length * (served.base ? 2 : 1))
  if (needed <= seconds(rules.budget)) return
  const names = deciding.map(cellName).join(', ')
  throw new InputError(
    `${placeOf('budget')}budget: found ${rules.budget}, allowed: at least ${Math.ceil(needed / 60)}m, which ${blocks} blocks of ${names} take with the shortest runs`,
  )
}
