/** Plans blocks of quads that fit the budget. Pure. */

import { areApart, type Cell, type Mode } from '../config/experiment.ts'
import { intervalOf } from '../config/load-rate.ts'
import { countOf } from '../system/count-of.ts'
import { InputError } from '../system/errors.ts'
import { armsIn, cellName, type PlannedCell, type Schedule, secondsOf } from './blocks.ts'
import { atRate, type PilotResult, timingOf } from './timing.ts'

export interface Plan extends Schedule {
  job: string
  looks: Looks
  /** An upper bound. */
  runs: number
  /** An upper bound. */
  predictedSeconds: number
  /** The median for jobs in which nothing changed. It equals predictedSeconds if there is one look. */
  usualSeconds: number
  /** Whether the budget has room for counting instructions. */
  hasCounting: boolean
  /** Cells that are only reported, and for which the budget has no room. */
  leftOut: Cell[]
}

export interface PlanRequest {
  modes: Mode[]
  /** Cells that decide. They come first in the budget. */
  gated: Cell[]
  /** Cells that are only reported. They are measured if the budget has room left. */
  reported: Cell[]
  hasBase: boolean
  /** Whether more blocks may decide anything. */
  isJudged: boolean
  /** Workloads that base does not have. Only head runs them. */
  newInHead: ReadonlySet<string>
  quick: boolean
  /** Seconds for measuring. */
  budgetS: number
  /** The place of the budget, for a message. */
  budgetPlace: string
  /** A fixed number of blocks. Null means 10 blocks, or as many quads as the cells need if 20 blocks fit. */
  blocks: number | null
  /** Seconds for counting instructions, if the blocks leave them. */
  countingS: number
  seed: number
  job: string
}

/** The number of looks at the data. Each has its share of alpha (r/R/rule/looks.R). */
export type Looks = 1 | 2 | 4

/** The look, and the number of looks. */
export interface Look {
  looks: Looks
  /** From 1. */
  look: number
}

/** The average number of quads per cell at each look, in a job that measures open cells further. */
export const LOOKS_AT = [6, 10, 15, 20] as const
/** At this look half of the simulated jobs in which nothing changed have ended (docs/error-rates.md). */
const USUAL_QUADS = 10
export const FULL_BLOCKS = 10
const MOST_BLOCKS = LOOKS_AT[3]
const QUICK_BLOCKS = 6

/** The least number of blocks. @param blocks a fixed number, or null */
export function blocksWanted(blocks: number | null, quick: boolean): number {
  return blocks ?? (quick ? QUICK_BLOCKS : FULL_BLOCKS)
}

/** The most quads per cell that one job measures, on average over its cells. @param blocks a fixed number, or null */
export function quadsAtMost(blocks: number | null, quick: boolean): number {
  return blocks ?? (quick ? QUICK_BLOCKS : MOST_BLOCKS)
}

/** The most blocks of one job. All quads after the first look may belong to one cell. @param cells the number of gated cells */
export function blocksAtMost(blocks: number | null, quick: boolean, cells: number): number {
  return blocks ?? (quick ? QUICK_BLOCKS : LOOKS_AT[0] + cells * (MOST_BLOCKS - LOOKS_AT[0]))
}

/**
 * @param pilot results by `workload/load`
 * @throws InputError if the blocks do not fit the budget; it names a sufficient budget, or cells to leave out
 */
export function makePlan(request: PlanRequest, pilot: ReadonlyMap<string, PilotResult>): Plan {
  const { modes, hasBase, quick, seed, job } = request
  // A rate goes on while hey is held, so the next slice would begin with requests that were late.
  const canTakeTurns = ({ workload, load }: Cell): boolean => areApart(modes) && !workload.builtIn?.statements && load.rate === undefined
  const planned = (cell: Cell, decides: boolean): PlannedCell => {
    const isNew = request.newInHead.has(cell.workload.name)
    const timing = atRate(timingOf(pilot.get(cellName(cell)), quick, canTakeTurns(cell)), intervalOf(cell.load))
    return { cell, timing, isCompared: hasBase && !isNew, isGated: decides && !isNew }
  }
  const gated = request.gated.map((cell) => planned(cell, true))
  const others = request.reported.map((cell) => planned(cell, false))
  // If nothing decides, the reported cells are planned instead.
  const [deciding, reported] = gated.length > 0 ? [gated, others] : [others, []]
  const seconds = (cells: readonly PlannedCell[]): number => secondsOf(request, cells)
  const blockS = seconds(deciding)
  const count = blocksWanted(request.blocks, quick)
  if (count * blockS > request.budgetS) {
    throw new InputError(request.budgetPlace + refusal(count, blockS, request.budgetS, deciding, seconds))
  }
  // Counts detect smaller losses than further blocks do.
  const hasCounting = count * blockS + request.countingS <= request.budgetS
  const countingS = hasCounting ? request.countingS : 0
  const budgetS = request.budgetS - countingS
  const isOpen = request.blocks === null && !quick && request.isJudged && deciding.some(({ isGated }) => isGated)
  const adapts = isOpen && MOST_BLOCKS * blockS <= budgetS
  const total = adapts ? MOST_BLOCKS : count
  // A pull request that adds slow cells must not take blocks from those that judge it.
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
    `budget: ${countOf(count, 'block')} of ${countOf(cells.length, 'cell')} ${count === 1 ? 'takes' : 'take'} ${minutes} minutes, the budget is ${(budgetS / 60).toFixed(1)}. Allowed: budget: ${minutes}m`,
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
