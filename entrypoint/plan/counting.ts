/** Decides which tool counts instructions in this job, how often, and estimates the time. Pure. */
import { areApart, type Cell, type Mode } from '../config/experiment.ts'
import type { Rules } from '../config/rules.ts'
import type { Counter } from '../engines/engine.ts'
import { MeasurementError } from '../system/errors.ts'

/** Each repetition starts every arm afresh. */
const REPETITIONS = 4
/** The fewest that are tested (r/R/rule/instructions.R): an answer soon. */
const QUICK_REPETITIONS = 3
export const MOST_REPETITIONS = REPETITIONS
/** CPU seconds of one count with start and warm-up. With Valgrind the app's start takes most of them. */
const COUNT_S: Record<Counter, number> = { perf: 3, valgrind: 5 }

export interface Counting {
  counter: Counter
  repetitions: number
}

/** The reason why nothing is counted, for people. Undefined if nobody asked for counts. */
export interface NoCounting {
  why: string | undefined
}

export interface Countable {
  rules: Pick<Rules, 'instructions' | 'profile'>
  modes: readonly Mode[]
  hasBase: boolean
  /** The available counters, the best first. */
  counters: readonly Counter[]
}

/** @throws MeasurementError if the configuration names a counter that cannot count here */
export function chooseCounting({ rules, modes, hasBase, counters }: Countable): Counting | NoCounting {
  const asked = rules.instructions
  const { profile } = rules
  if (asked === 'off') return { why: undefined }
  if (asked === 'auto' && profile === 'quick') return { why: undefined }
  if (!hasBase) return { why: 'there is no base to compare with' }
  if (modes.length < 2) return { why: 'there is only one mode' }
  const why = whyUncountable(modes)
  if (why) return { why }
  const counter = asked === 'auto' ? counters[0] : counters.find((one) => one === asked)
  if (counter) return { counter, repetitions: profile === 'full' ? REPETITIONS : QUICK_REPETITIONS }
  if (asked === 'auto' && profile !== 'work') return { why: 'neither perf nor Valgrind can count here' }
  if (asked === 'auto')
    throw new MeasurementError(`profile: work counts instructions, and nothing can count here. ${REMEDY.perf} ${REMEDY.valgrind}`)
  throw new MeasurementError(`instructions: ${asked} cannot count here. ${REMEDY[asked]}`)
}

/** Why a mode can be counted nowhere, or undefined. */
export function whyUncountable(modes: readonly Mode[]): string | undefined {
  const own = modes.find(({ via }) => via === 'command')
  if (own) return `${own.name} is served by a command of yours`
  const unknown = modes.find((mode) => mode.via === 'runtime' && !mode.runtime.processes.some((one) => one['runs-php']))
  return unknown && `it is unknown which process of ${unknown.name} runs PHP`
}

const REMEDY: Record<Counter, string> = {
  perf: 'The processor has no counter that processes may read (virtual machines rarely have one): use valgrind.',
  valgrind: 'Where the app is served, valgrind and vgdb must be on the PATH: install the package valgrind.',
}

/** Cells whose instructions are compared: gated cells that base has. */
export function countedCells(gated: readonly Cell[], newInHead: ReadonlySet<string>): Cell[] {
  return gated.filter(({ workload }) => !newInHead.has(workload.name))
}

/** Whether the arms of a cell are counted at the same time. Only arms that write nothing in common do not affect each other's counts. */
export function areCountedTogether(modes: readonly Mode[], { workload }: Cell): boolean {
  return areApart(modes) && !workload.builtIn?.statements
}

/** @param arms the number of arms of a cell @param cpus the CPUs of the app */
export function countingSeconds({ counter, repetitions }: Counting, cells: readonly Cell[], modes: readonly Mode[], cpus: number): number {
  const arms = modes.length * 2
  const ofCell = (cell: Cell): number => (COUNT_S[counter] * arms) / (areCountedTogether(modes, cell) ? Math.min(cpus, arms) : 1)
  return repetitions * cells.reduce((sum, cell) => sum + ofCell(cell), 0)
}
