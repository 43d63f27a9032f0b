/** Inputs and a pilot -> blocks of quads that fit the budget. Pure. */

import { type Arm, areApart, type Cell, type Mode } from '../config/experiment.ts'
import { InputError } from '../system/errors.ts'
import { armOrder } from './arm-order.ts'
import { randomFrom, shuffled } from './random.ts'
import { type PilotResult, quadSeconds, type Timing, timingOf } from './timing.ts'

export interface PlannedQuad {
  cell: Cell
  timing: Timing
  /** The arms in the order in which they run. */
  arms: Arm[]
}

export interface PlannedBlock {
  block: number
  quads: PlannedQuad[]
}

export interface Plan {
  seed: number
  job: string
  blocks: PlannedBlock[]
  looks: 1 | 2
  /** Block counts after which the data are looked at. */
  lookAt: number[]
  runs: number
  predictedSeconds: number
  /** Whether the budget has room for counting instructions. */
  hasCounting: boolean
  /** Cells that only report, and for which the budget had no room. */
  leftOut: Cell[]
}

export interface PlanRequest {
  modes: Mode[]
  /** Cells that decide: the budget is theirs. */
  gated: Cell[]
  /** Cells that are only reported: measured where the budget has room left. */
  reported: Cell[]
  hasBase: boolean
  /** Workloads that base does not have: only head runs them. */
  newInHead: ReadonlySet<string>
  quick: boolean
  /** Seconds for measuring. */
  budgetS: number
  /** Where the budget stands, for a message. */
  budgetPlace: string
  /** A fixed number of blocks; null takes 10, and 20 where they fit. */
  blocks: number | null
  /** Seconds for counting instructions, where the blocks leave them. */
  countingS: number
  seed: number
  job: string
}

export const FULL_BLOCKS = 10
const EXTENDED_BLOCKS = 20
const QUICK_BLOCKS = 6

/** Blocks that are measured at least. @param blocks a fixed number, or null */
export function blocksWanted(blocks: number | null, quick: boolean): number {
  return blocks ?? (quick ? QUICK_BLOCKS : FULL_BLOCKS)
}

/** Blocks that one job measures at most. @param blocks a fixed number, or null */
export function blocksAtMost(blocks: number | null, quick: boolean): number {
  return blocks ?? (quick ? QUICK_BLOCKS : EXTENDED_BLOCKS)
}

/**
 * @param pilot by `workload/load`
 * @throws InputError if 10 blocks do not fit the budget: it says which budget, or which cells less, would do
 */
export function makePlan(request: PlanRequest, pilot: ReadonlyMap<string, PilotResult>): Plan {
  const { modes, hasBase, quick, seed, job } = request
  const all = [...request.gated, ...request.reported]
  const comparesIn = (cell: Cell): boolean => hasBase && !request.newInHead.has(cell.workload.name)
  const armsIn = (cell: Cell): number => modes.length * (comparesIn(cell) ? 2 : 1)
  const timing = new Map(
    all.map((cell) => [cell, timingOf(pilot.get(cellName(cell)), quick, areApart(modes) && !cell.workload.builtIn?.statements)]),
  )
  const quadS = (cell: Cell): number => {
    const t = timing.get(cell) as Timing
    return quadSeconds(armsIn(cell), t)
  }
  const secondsOf = (cells: Cell[]): number => cells.reduce((sum, cell) => sum + quadS(cell), 0)
  // If nothing decides, what is reported is all there is.
  const [deciding, reported] = request.gated.length > 0 ? [request.gated, request.reported] : [request.reported, []]
  const blockS = secondsOf(deciding)
  const count = blocksWanted(request.blocks, quick)
  if (count * blockS > request.budgetS) {
    throw new InputError(request.budgetPlace + refusal(count, blockS, request.budgetS, deciding, quadS))
  }
  // Counts see smaller losses than further blocks do.
  const hasCounting = count * blockS + request.countingS <= request.budgetS
  const countingS = hasCounting ? request.countingS : 0
  const budgetS = request.budgetS - countingS
  const extends20 = request.blocks === null && !quick && EXTENDED_BLOCKS * blockS <= budgetS
  const total = extends20 ? EXTENDED_BLOCKS : count
  // A pull request that brings slow cells of its own must not take blocks from those that judge it.
  const cells = [...deciding]
  for (const cell of reported) if (total * secondsOf([...cells, cell]) <= budgetS) cells.push(cell)

  const random = randomFrom(seed)
  const blocks = Array.from(
    { length: total },
    (_, i): PlannedBlock => ({
      block: i + 1,
      quads: shuffled(cells, random).map((cell) => ({
        cell,
        timing: timing.get(cell) as Timing,
        arms: armOrder(modes, comparesIn(cell), random),
      })),
    }),
  )
  return {
    seed,
    job,
    blocks,
    looks: extends20 ? 2 : 1,
    lookAt: extends20 ? [FULL_BLOCKS, EXTENDED_BLOCKS] : [count],
    runs: total * cells.reduce((sum, cell) => sum + armsIn(cell), 0),
    predictedSeconds: Math.ceil(total * secondsOf(cells) + countingS),
    hasCounting,
    leftOut: reported.filter((cell) => !cells.includes(cell)),
  }
}

export function cellName(cell: Cell): string {
  return `${cell.workload.name}/${cell.load.name}`
}

function refusal(count: number, blockS: number, budgetS: number, cells: Cell[], quadS: (cell: Cell) => number): string {
  const minutes = Math.ceil((count * blockS) / 60)
  const lines = [
    `budget: ${count} blocks of ${cells.length} cells take ${minutes} minutes, the budget is ${(budgetS / 60).toFixed(1)}. Allowed: budget: ${minutes}m`,
  ]
  const byCost = [...cells].sort((a, b) => quadS(b) - quadS(a))
  const dropped: Cell[] = []
  let left = blockS
  while (byCost.length > 1 && left * count > budgetS) {
    const cell = byCost.shift() as Cell
    dropped.push(cell)
    left -= quadS(cell)
  }
  if (dropped.length && left * count <= budgetS) {
    lines.push(`or leave out ${dropped.map(cellName).join(', ')}`)
  }
  return lines.join(', ')
}
