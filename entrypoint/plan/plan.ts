/** Inputs and a pilot -> blocks of quads that fit the budget. Pure. */

import { areApart, type Cell, type Mode } from '../config/experiment.ts'
import { InputError } from '../system/errors.ts'
import { armsIn, cellName, type PlannedCell, type Schedule, secondsOf } from './blocks.ts'
import { type PilotResult, timingOf } from './timing.ts'

export interface Plan extends Schedule {
  job: string
  looks: Looks
  /** At most. */
  runs: number
  /** At most. */
  predictedSeconds: number
  /** What half of the jobs in which nothing changed need at most; the same where there is one look. */
  usualSeconds: number
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
  /** Whether there is anything that more blocks may decide. */
  isJudged: boolean
  /** Workloads that base does not have: only head runs them. */
  newInHead: ReadonlySet<string>
  quick: boolean
  /** Seconds for measuring. */
  budgetS: number
  /** Where the budget stands, for a message. */
  budgetPlace: string
  /** A fixed number of blocks; null takes 10, or where 20 fit as many quads as the cells need. */
  blocks: number | null
  /** Seconds for counting instructions, where the blocks leave them. */
  countingS: number
  seed: number
  job: string
}

/** How often the data are looked at: each time has its share of alpha (r/R/looks.R). */
export type Looks = 1 | 2 | 4

/** Which look it is, of how many. */
export interface Look {
  looks: Looks
  /** From 1. */
  look: number
}

/** Quads of a cell, on average, that are spent at each look of a job that goes on where cells are open. */
export const LOOKS_AT = [6, 10, 15, 20] as const
/** At this look half of the simulated jobs in which nothing changed have ended (docs/error-rates.md). */
const USUAL_QUADS = 10
export const FULL_BLOCKS = 10
const MOST_BLOCKS = LOOKS_AT[3]
const QUICK_BLOCKS = 6

/** Blocks that are measured at least. @param blocks a fixed number, or null */
export function blocksWanted(blocks: number | null, quick: boolean): number {
  return blocks ?? (quick ? QUICK_BLOCKS : FULL_BLOCKS)
}

/** Quads of a cell that one job measures at most, on average over its cells. @param blocks a fixed number, or null */
export function quadsAtMost(blocks: number | null, quick: boolean): number {
  return blocks ?? (quick ? QUICK_BLOCKS : MOST_BLOCKS)
}

/** Blocks that one job has at most: all quads but those of the first look may belong to one cell. @param cells that are gated */
export function blocksAtMost(blocks: number | null, quick: boolean, cells: number): number {
  return blocks ?? (quick ? QUICK_BLOCKS : LOOKS_AT[0] + cells * (MOST_BLOCKS - LOOKS_AT[0]))
}

/**
 * @param pilot by `workload/load`
 * @throws InputError if 10 blocks do not fit the budget: it says which budget, or which cells less, would do
 */
export function makePlan(request: PlanRequest, pilot: ReadonlyMap<string, PilotResult>): Plan {
  const { modes, hasBase, quick, seed, job } = request
  const canTakeTurns = ({ workload }: Cell): boolean => areApart(modes) && !workload.builtIn?.statements
  const planned = (cell: Cell, decides: boolean): PlannedCell => {
    const isNew = request.newInHead.has(cell.workload.name)
    const timing = timingOf(pilot.get(cellName(cell)), quick, canTakeTurns(cell))
    return { cell, timing, isCompared: hasBase && !isNew, isGated: decides && !isNew }
  }
  const gated = request.gated.map((cell) => planned(cell, true))
  const others = request.reported.map((cell) => planned(cell, false))
  // If nothing decides, what is reported is all there is.
  const [deciding, reported] = gated.length > 0 ? [gated, others] : [others, []]
  const seconds = (cells: readonly PlannedCell[]): number => secondsOf(request, cells)
  const blockS = seconds(deciding)
  const count = blocksWanted(request.blocks, quick)
  if (count * blockS > request.budgetS) {
    throw new InputError(request.budgetPlace + refusal(count, blockS, request.budgetS, deciding, seconds))
  }
  // Counts see smaller losses than further blocks do.
  const hasCounting = count * blockS + request.countingS <= request.budgetS
  const countingS = hasCounting ? request.countingS : 0
  const budgetS = request.budgetS - countingS
  const isOpen = request.blocks === null && !quick && request.isJudged && deciding.some(({ isGated }) => isGated)
  const adapts = isOpen && MOST_BLOCKS * blockS <= budgetS
  const total = adapts ? MOST_BLOCKS : count
  // A pull request that brings slow cells of its own must not take blocks from those that judge it.
  const cells = [...deciding]
  for (const cell of reported) if (total * seconds([...cells, cell]) <= budgetS) cells.push(cell)
  const secondsUntil = (blocks: number): number => Math.ceil(blocks * seconds(cells) + countingS)
  return {
    seed,
    job,
    modes,
    cells,
    looks: adapts ? 4 : 1,
    lookAt: adapts ? [...LOOKS_AT] : [count],
    runs: total * cells.reduce((sum, cell) => sum + armsIn(request, cell), 0),
    predictedSeconds: secondsUntil(total),
    usualSeconds: secondsUntil(adapts ? USUAL_QUADS : total),
    hasCounting,
    leftOut: reported.filter((cell) => !cells.includes(cell)).map(({ cell }) => cell),
  }
}

function refusal(
  count: number,
  blockS: number,
  budgetS: number,
  cells: readonly PlannedCell[],
  seconds: (cells: readonly PlannedCell[]) => number,
): string {
  const minutes = Math.ceil((count * blockS) / 60)
  const lines = [
    `budget: ${count} blocks of ${cells.length} cells take ${minutes} minutes, the budget is ${(budgetS / 60).toFixed(1)}. Allowed: budget: ${minutes}m`,
  ]
  const byCost = [...cells].sort((a, b) => seconds([b]) - seconds([a]))
  const dropped: Cell[] = []
  let left = blockS
  while (byCost.length > 1 && left * count > budgetS) {
    const dearest = byCost.shift() as PlannedCell
    dropped.push(dearest.cell)
    left -= seconds([dearest])
  }
  if (dropped.length && left * count <= budgetS) {
    lines.push(`or leave out ${dropped.map(cellName).join(', ')}`)
  }
  return lines.join(', ')
}
