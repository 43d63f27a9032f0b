/** instructions.csv: its columns and how a count becomes a line. Pure. */
import type { Revision } from '../../config/experiment.ts'
import type { Counter } from '../../engines/engine.ts'

/** One line of instructions.csv: one count of an arm. */
export interface Count {
  job: string
  /** From 1; each has a fresh server of every arm. */
  repetition: number
  /** In the order of the arms, from 1. */
  position: number
  workload: string
  load: string
  concurrency: number
  revision: Revision
  mode: string
  requests: number
  /** Of user space, in the processes that run PHP. */
  instructions: number
  instructions_per_request: number
  tool: Counter
}

/** The columns in order. Other tools read this file: they never change. */
export const COUNT_COLUMNS = [
  'job',
  'repetition',
  'position',
  'workload',
  'load',
  'concurrency',
  'revision',
  'mode',
  'requests',
  'instructions',
  'instructions_per_request',
  'tool',
] as const satisfies readonly (keyof Count)[]

/** The whole file. Counts are whole; the quotient has 10 significant digits. */
export function countsCsv(counts: readonly Count[]): string {
  const line = (count: Count): string => COUNT_COLUMNS.map((column) => text(count[column])).join(',')
  return [COUNT_COLUMNS.join(','), ...counts.map(line)].map((row) => `${row}\n`).join('')
}

function text(value: string | number): string {
  return typeof value === 'string' || Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(10)))
}
