/** Distributes the blocks of one measurement over the jobs of a matrix. Pure. */
import type { Rules } from '../config/rules.ts'
import { InputError } from '../system/errors.ts'
import { FULL_BLOCKS } from './plan.ts'

export interface Matrix {
  include: { job: string; blocks: number }[]
}

/** @param jobs text of the input @throws InputError unless it is a number that leaves at least one block per job */
export function matrixOf(rules: Pick<Rules, 'blocks'>, jobs: string): Matrix {
  const count = Number(jobs)
  const blocks = rules.blocks ?? FULL_BLOCKS
  if (!Number.isInteger(count) || count < 1 || count > Math.min(64, blocks)) {
    throw new InputError(
      `plan-jobs: found "${jobs}", allowed: 1 to ${Math.min(64, blocks)}, so that each of them measures a block of ${blocks}`,
    )
  }
  const share = Math.floor(blocks / count)
  const rest = blocks % count
  return { include: Array.from({ length: count }, (_, i) => ({ job: String(i + 1), blocks: share + (i < rest ? 1 : 0) })) }
}
