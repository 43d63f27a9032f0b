/** Refuses data in which one run occurs several times: copies of favourable runs would narrow every interval. Pure. */
import type { COLUMNS } from '../measure/samples.ts'
import { MeasurementError } from '../system/errors.ts'
import { type JobText, type Row, rowsOf } from './coverage.ts'

type Column = (typeof COLUMNS)[number]

/** Latencies to the nanosecond. No two of the 3,000 runs in r/calibration/recorded share all four. */
const LATENCIES: readonly Column[] = ['p50_ms', 'p95_ms', 'p99_ms', 'max_ms']
/** For runs without latencies: all other measures of answers and work. */
const MEASURES: readonly Column[] = [
  'duration_s',
  'requests',
  'succeeded',
  'goodput_rps',
  'cpu_us_per_request',
  'peak_memory_mib',
  'memory_growth_kib_per_1k',
  'half_ratio',
]

/** Values that identify a run. Undefined for a run without answers, since all of those are alike. */
function fingerprint(row: Row): string | undefined {
  if (Number(row.goodput_rps) === 0) return undefined
  const columns = LATENCIES.every((column) => row[column]) ? LATENCIES : MEASURES
  // As numbers, so that 1.50 equals 1.5.
  return columns.map((column) => `${column} ${row[column] && Number(row[column])}`).join(', ')
}

function placeOf({ job, block, workload, load, revision, mode }: Row): string {
  return `job ${job}, block ${block}, ${revision}/${mode} of ${workload}/${load}`
}

/** Looks for copies within a job, between jobs and between arms. @throws MeasurementError naming the run and its copy */
export function refuseCopies(jobs: readonly JobText[]): void {
  const seen = new Map<string, Row>()
  for (const row of jobs.flatMap(({ samples }) => rowsOf(samples))) {
    const key = fingerprint(row)
    if (key === undefined) continue
    const first = seen.get(key)
    if (first)
      throw new MeasurementError(
        `samples.csv: ${placeOf(row)}: found the numbers of ${placeOf(first)}, to the last digit (${key}). No two runs are that alike: was one file given twice?`,
      )
    seen.set(key, row)
  }
}
