/** Blocks of quads in random order: those before the first look, and after each look those of the open cells. Pure. */
import type { Arm, Cell, Mode } from '../config/experiment.ts'
import { armOrder } from './arm-order.ts'
import { type Random, randomFrom, shuffled } from './random.ts'
import { quadSeconds, type Timing } from './timing.ts'

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

export interface PlannedCell {
  cell: Cell
  timing: Timing
  /** Whether base has the cell, too. */
  isCompared: boolean
  /** Whether it decides. Other cells have a quad in as many blocks as if every cell stayed open. */
  isGated: boolean
}

export interface Schedule {
  seed: number
  modes: Mode[]
  cells: PlannedCell[]
  /** The average number of quads per gated cell at each look. */
  lookAt: number[]
}

export function armsIn({ modes }: Pick<Schedule, 'modes'>, { isCompared }: Pick<PlannedCell, 'isCompared'>): number {
  return modes.length * (isCompared ? 2 : 1)
}

export function secondsOf(schedule: Pick<Schedule, 'modes'>, cells: readonly PlannedCell[]): number {
  return cells.reduce((sum, cell) => sum + quadSeconds(armsIn(schedule, cell), cell.timing), 0)
}

export function cellName(cell: Cell): string {
  return `${cell.workload.name}/${cell.load.name}`
}

/** Every cell, up to the first look. */
export function firstBlocks(schedule: Schedule): PlannedBlock[] {
  const random = randomFrom(schedule.seed)
  return Array.from({ length: schedule.lookAt[0] as number }, (_, i) => blockOf(i + 1, schedule.cells, schedule, random))
}

/**
 * The blocks between two looks. Decided cells give their quads and time to the open ones.
 *
 * @param look the look after these blocks, from 2
 * @param done all earlier blocks
 * @param open `workload/load` of the open cells
 */
export function blocksUntil(schedule: Schedule, look: number, done: readonly PlannedBlock[], open: readonly string[]): PlannedBlock[] {
  const gated = schedule.cells.filter(({ isGated }) => isGated)
  const beside = schedule.cells.filter(({ isGated }) => !isGated)
  const going = gated.filter(({ cell }) => open.includes(cellName(cell)))
  if (going.length === 0) return []
  const [at, before] = [schedule.lookAt[look - 1] as number, schedule.lookAt[look - 2] as number]
  const spent = done.flatMap(({ quads }) => quads.flatMap(({ cell }) => gated.find((one) => one.cell === cell) ?? []))
  const quads = at * gated.length - spent.length
  const seconds = at * secondsOf(schedule, gated) - secondsOf(schedule, spent)
  // Fast cells must not get hundreds of quads in a slow one's time, nor slow cells the time of many.
  const rounds = Math.floor(Math.min(quads / going.length, seconds / secondsOf(schedule, going)) + ROUNDING)
  const random = randomFrom(schedule.seed + 1000 * look)
  return Array.from({ length: rounds }, (_, i) =>
    blockOf(done.length + i + 1, i < at - before ? [...going, ...beside] : going, schedule, random),
  )
}

/** The tolerance for sums of seconds. */
const ROUNDING = 1e-9

function blockOf(block: number, cells: readonly PlannedCell[], { modes }: Schedule, random: Random): PlannedBlock {
  const quads = shuffled(cells, random).map(({ cell, timing, isCompared }) => ({ cell, timing, arms: armOrder(modes, isCompared, random) }))
  return { block, quads }
}
