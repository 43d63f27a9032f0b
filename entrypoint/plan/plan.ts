/** From inputs and a pilot to blocks of quads that fit the time budget. Pure. */

import { type Arm, areApart, type Cell, type Mode } from '../config/experiment.ts'
import { InputError } from '../system/errors.ts'
import { armOrder } from './arm-order.ts'
import { randomFrom, shuffled } from './random.ts'

/** How long one run of a cell takes. */
export interface Timing {
  warmupS: number
  windowS: number
  /** Into how many slices the window is cut, taken in turns with the other arms of the quad. 1: one arm after the other. */
  slices: number
  /** Before each slice, and after it until the other arm's: what is in flight is answered. */
  guardS: number
}

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
  /** Cells that only report, and for which the budget had no room. */
  leftOut: Cell[]
}

/** What the pilot saw of a cell, in its slowest arm. */
export interface PilotResult {
  /** Mean latency in seconds. */
  latencyS: number
  /** Successful responses per second. */
  goodput: number
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
  /** A fixed number of blocks; null takes 10, and 20 where they fit. */
  blocks: number | null
  seed: number
  job: string
}

/** Time around a run's load: restore the database, start the server, wait until the machine is idle, stop. */
export const OVERHEAD_S = 1.6
/** Before each quad: CPU probe and the wait for an idle machine. */
const QUAD_OVERHEAD_S = 0.5
export const FULL_BLOCKS = 10
const EXTENDED_BLOCKS = 20
const QUICK_BLOCKS = 6

/** Blocks that are measured at least. @param blocks a fixed number, or null */
export function blocksWanted(blocks: number | null, quick: boolean): number {
  return blocks ?? (quick ? QUICK_BLOCKS : FULL_BLOCKS)
}

function quadSeconds(arms: number, { warmupS, windowS, slices, guardS }: Timing): number {
  return QUAD_OVERHEAD_S + arms * (warmupS + windowS + 2 * slices * guardS + OVERHEAD_S)
}

/** Seconds that a quad takes however quick its answers are. */
export function shortestQuadS(arms: number): number {
  return quadSeconds(arms, { ...SHORTEST, ...ONE_SLICE })
}

/** Noise is between servers, not inside a window, so windows are as short as they may be. */
export function timingOf(pilot: PilotResult | undefined, quick: boolean, canTakeTurns: boolean): Timing {
  if (!pilot) return { ...SHORTEST, ...ONE_SLICE }
  const round = (s: number): number => Math.ceil(s * 10) / 10
  const timing = quick
    ? SHORTEST
    : {
        warmupS: round(Math.max(1, 5 * pilot.latencyS)),
        windowS: round(Math.max(2, 10 * pilot.latencyS, pilot.goodput > 0 ? 100 / pilot.goodput : 0)),
      }
  return { ...timing, ...(canTakeTurns ? slicesOf(timing.windowS, pilot.latencyS) : ONE_SLICE) }
}

const SHORTEST = { warmupS: 1, windowS: 2 }
const ONE_SLICE = { slices: 1, guardS: 0 }
const MIN_SLICE_S = 0.1
const MIN_GUARD_S = 0.005
/** With fewer, taking turns is not worth what it costs. */
const MIN_SLICES = 4

/** An even number of slices, each six times as long as the guard in which what is in flight is answered. */
function slicesOf(windowS: number, latencyS: number): Pick<Timing, 'slices' | 'guardS'> {
  const guardS = Math.max(MIN_GUARD_S, 3 * latencyS)
  const slices = 2 * Math.floor(windowS / Math.max(MIN_SLICE_S, 6 * guardS) / 2)
  return slices < MIN_SLICES ? ONE_SLICE : { slices, guardS }
}

/**
 * @param pilot by `workload/load`
 * @throws InputError if 10 blocks do not fit the budget: it says which budget, or which cells less, would do
 */
export function makePlan(request: PlanRequest, pilot: ReadonlyMap<string, PilotResult>): Plan {
  const { modes, hasBase, quick, budgetS, seed, job } = request
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
  // Where nothing decides, what is reported is all there is.
  const [deciding, reported] = request.gated.length > 0 ? [request.gated, request.reported] : [request.reported, []]
  const blockS = secondsOf(deciding)
  const count = blocksWanted(request.blocks, quick)
  if (count * blockS > budgetS) {
    throw new InputError(refusal(count, blockS, budgetS, deciding, quadS))
  }
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
    predictedSeconds: Math.ceil(total * secondsOf(cells)),
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
