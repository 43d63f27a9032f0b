/** The result of a run: its part of a line in samples.csv. Pure. */

import type { Failure } from './failure.ts'
import type { Sample } from './samples.ts'
import type { SidecarWindows } from './sidecar-use.ts'

/** The columns of samples.csv that depend only on the run itself. */
export type RunLine = Omit<Sample, 'job' | 'block' | 'position' | 'workload' | 'load' | 'concurrency' | 'revision' | 'mode' | 'attempt'>
export interface RunResult {
  line: RunLine
  errors: Record<string, number>
  little: number | null
  /** In the window. */
  sidecars: SidecarWindows
  /** The share of the machine's CPU time that anything used in the window. */
  busy?: number | undefined
  status?: Record<string, unknown> | undefined
  /** Set if there were errors. */
  failure?: Failure | undefined
}

/** The database's counters must have grown by the statements of the successful requests. Requests that hey gave up may add theirs. */
export function workWasDone(
  statements: Record<string, number>,
  before: Record<string, number>,
  after: Record<string, number>,
  successes: number,
  concurrency: number,
): boolean {
  return Object.entries(statements).every(([verb, perRequest]) => {
    const made = (after[verb] ?? 0) - (before[verb] ?? 0)
    return made >= perRequest * successes && made <= perRequest * (successes + 2 * concurrency)
  })
}

/** A run that could not be made is an observation, too: goodput 0, with the kind of its error. */
export function didNotRun(startedAt: Date, windowS: number, failure: Failure): RunResult {
  return { line: failed(startedAt, windowS, 0), errors: { [DID_NOT_RUN]: 1 }, little: null, sidecars: {}, failure }
}

const DID_NOT_RUN = 'did-not-run'

export function ran(result: RunResult): boolean {
  return !(DID_NOT_RUN in result.errors)
}

/** Whether nothing succeeded and there are errors. An app that is slower than the window has no errors. */
export function failedWholly({ line, errors }: RunResult): boolean {
  return line.goodput_rps === 0 && Object.keys(errors).length > 0
}

/** The line of a run without a result. Its goodput is 0. */
export function failed(startedAt: Date, durationS: number, requests: number): RunLine {
  const nothing = {
    p50_ms: null,
    p95_ms: null,
    p99_ms: null,
    max_ms: null,
    cpu_us_per_request: null,
    peak_memory_mib: null,
    memory_growth_kib_per_1k: null,
    half_ratio: null,
  }
  const lost = Math.max(1, requests)
  return {
    started_at: startedAt.toISOString(),
    duration_s: durationS,
    requests: lost,
    succeeded: 0,
    failed: lost,
    goodput_rps: 0,
    ...nothing,
  }
}

/** Whether every answer came after the window: the machine stood still, or the app did. Another run shows which. */
export function isSilent({ line, errors }: Pick<RunResult, 'line' | 'errors'>): boolean {
  return line.goodput_rps === 0 && Object.keys(errors).length === 0
}

export function positive(value: number): number | null {
  return value > 0 && Number.isFinite(value) ? value : null
}
