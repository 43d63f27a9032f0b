/** samples.csv: its columns and how a run becomes a line. Pure. */
import type { Revision } from '../config/experiment.ts'

/** The job, cell and arm of a line in samples.csv or instructions.csv. */
export interface Place {
  job: string
  /** The place in the order of the arms, from 1. */
  position: number
  workload: string
  load: string
  concurrency: number
  revision: Revision
  mode: string
}

/** One line of samples.csv. Null is a column that was not measured. */
export interface Sample extends Place {
  block: number
  started_at: string
  duration_s: number
  requests: number
  succeeded: number
  failed: number
  goodput_rps: number
  p50_ms: number | null
  p95_ms: number | null
  p99_ms: number | null
  max_ms: number | null
  cpu_us_per_request: number | null
  peak_memory_mib: number | null
  memory_growth_kib_per_1k: number | null
  half_ratio: number | null
  attempt: number
}

/** The columns in order. They never change, because other tools read this file. */
export const COLUMNS = [
  'job',
  'block',
  'position',
  'workload',
  'load',
  'concurrency',
  'revision',
  'mode',
  'started_at',
  'duration_s',
  'requests',
  'succeeded',
  'failed',
  'goodput_rps',
  'p50_ms',
  'p95_ms',
  'p99_ms',
  'max_ms',
  'cpu_us_per_request',
  'peak_memory_mib',
  'memory_growth_kib_per_1k',
  'half_ratio',
  'attempt',
] as const satisfies readonly (keyof Sample)[]

/** The whole file. Numbers have 10 significant digits. Values that were not measured are empty. */
export function samplesCsv(samples: readonly Sample[]): string {
  return [COLUMNS.join(','), ...samples.map(line)].map((text) => `${text}\n`).join('')
}

function line(sample: Sample): string {
  return COLUMNS.map((column) => cell(sample[column])).join(',')
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  // Number() drops the zeros and the exponent that toPrecision() may return.
  return typeof value === 'number' ? String(Number(value.toPrecision(10))) : value
}
