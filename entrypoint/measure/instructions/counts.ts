/** instructions.csv: its columns and how a count becomes a line. Pure. */
import type { Counter } from '../../engines/engine.ts'
import type { Place } from '../samples.ts'

/** One line of instructions.csv: one count of an arm. */
export interface Count extends Place {
  /** From 1. Each repetition starts every arm afresh. */
  repetition: number
  requests: number
  /** Instructions in user space of the processes that run PHP. */
  instructions: number
  instructions_per_request: number
  tool: Counter
}

/** The columns in order. They never change, because other tools read this file. */
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

/** The whole file. Counts are whole numbers. The quotient has 10 significant digits. */
export function countsCsv(counts: readonly Count[]): string {
  const line = (count: Count): string => COUNT_COLUMNS.map((column) => text(count[column])).join(',')
  return [COUNT_COLUMNS.join(','), ...counts.map(line)].map((row) => `${row}\n`).join('')
}

function text(value: string | number): string {
  return typeof value === 'string' || Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(10)))
}
