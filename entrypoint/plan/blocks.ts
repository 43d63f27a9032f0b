/** Blocks of quads in random order: those of the first look, and after each look those of the cells that are open. Pure. */
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
  /** Whether base has it, too. */
  isCompared: boolean
  /** Whether it decides. The others have a quad in as many blocks as there would be if every cell stayed open. */
  isGated: boolean
}

export interface Schedule {
  seed: number
  modes: Mode[]
  cells: PlannedCell[]
  /** Quads of a gated cell, on average, that are spent at each look. */
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
 * The blocks between two looks. The quads, and the time, that proven cells would have had go to those that are open.
 *
 * @param look the one after these blocks, from 2
 * @param done all blocks before
 * @param open `workload/load` of the cells whose verdict is open
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
  // Quick cells must not have hundreds of quads for a slow one's time, nor slow cells the time of many.
  const rounds = Math.floor(Math.min(quads / going.length, seconds / secondsOf(schedule, going)) + ROUNDING)
  const random = randomFrom(schedule.seed + 1000 * look)
  return Array.from({ length: rounds }, (_, i) =>
    blockOf(done.length + i + 1, i < at - before ? [...going, ...beside] : going, schedule, random),
  )
}

/** Sums of seconds are not exact. */
const ROUNDING = 1e-9

function blockOf(block: number, cells: readonly PlannedCell[], { modes }: Schedule, random: Random): PlannedBlock {
  const quads = shuffled(cells, random).map(({ cell, timing, isCompared }) => ({ cell, timing, arms: armOrder(modes, isCompared, random) }))
  return { block, quads }
}
