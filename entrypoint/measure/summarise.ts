/** Converts the observations of one run into its line of samples.csv and its errors. Pure. */
import type { Cell } from '../config/experiment.ts'
import { intervalOf } from '../config/load-rate.ts'
import type { Clock, SidecarUses, Usage } from '../engines/engine.ts'
import type { HeyOutput } from './hey.ts'
import { corrected } from './omission.ts'
import { failed, positive, type RunResult, workWasDone } from './run-result.ts'
import { windowsOf } from './sidecar-use.ts'
import { lagOf, percentile, type Span, type Window, windowOf } from './window.ts'

/** When hey was held and when it continued, in milliseconds of the wall clock. */
export interface Pause {
  heldAt: number
  resumedAt: number
}

/** A part of the window, under load. */
export interface Slice {
  /** The pause before it. Undefined if the load was not held. */
  pause: Pause | undefined
  start: Clock
  end: Clock
  /** What each sidecar did in it. */
  sidecars?: SidecarUses | undefined
  /** The texts of the machine's /proc/stat around it. */
  machine?: { before: string; after: string }
}

/** All observations of one run. */
export interface Observation {
  /** The start of its load. */
  startedAt: Date
  /** When hey was spawned, in milliseconds of the wall clock. */
  spawnedAt: number
  output: HeyOutput
  slices: readonly Slice[]
  /** From the start of the window to its end. */
  usages: readonly Usage[]
  /** Whether one of the server's processes ended or was replaced. */
  lost: boolean
  /** Statements by verb: those of one request, and the database's counters; undefined if the workload declares none. */
  counted: { perRequest: Record<string, number>; before: Record<string, number>; after: Record<string, number> } | undefined
}

export function summarise(observation: Observation, cell: Cell): Pick<RunResult, 'line' | 'errors' | 'little' | 'sidecars'> {
  const { startedAt, output, slices, usages } = observation
  const seconds = clockOf(observation)
  const spans = slices.map(
    ({ pause, start, end }): Span => ({
      resumedS: pause ? seconds(pause.resumedAt) : 0,
      fromS: seconds(start.at),
      toS: seconds(end.at),
    }),
  )
  const window = windowOf(output, spans, cell.workload.expect.status)
  const errors = errorsOf(observation, window, cell)
  const durationS = sum(spans.map(({ fromS, toS }) => toS - fromS))
  const sidecars = windowsOf(
    slices.map((slice) => slice.sidecars ?? {}),
    durationS,
  )
  const requests = window.succeeded + window.wrongStatus + sum(Object.values(output.errors))
  if (errors['worker-lost'] || errors['wrong-statements'] || window.succeeded === 0) {
    return { line: failed(startedAt, durationS, requests), errors, little: null, sidecars }
  }
  const goodput = window.succeeded / durationS
  const meanS = sum(window.latenciesMs) / window.latenciesMs.length / 1000
  const intervalS = intervalOf(cell.load)
  const latenciesMs = intervalS === undefined ? window.latenciesMs : corrected(window.latenciesMs, 1000 * intervalS)
  return {
    line: {
      started_at: startedAt.toISOString(),
      duration_s: durationS,
      requests,
      succeeded: window.succeeded,
      failed: requests - window.succeeded,
      goodput_rps: goodput,
      p50_ms: percentile(latenciesMs, 50),
      p95_ms: percentile(latenciesMs, 95),
      p99_ms: percentile(latenciesMs, 99),
      max_ms: window.latenciesMs.at(-1) ?? null,
      cpu_us_per_request: positive(sum(slices.map(({ start, end }) => end.cpuUs - start.cpuUs)) / window.succeeded),
      peak_memory_mib: positive(Math.max(...usages.map(({ memoryKib }) => memoryKib)) / 1024),
      memory_growth_kib_per_1k: growthOf(observation, seconds, cell),
      half_ratio: window.halfRatio,
    },
    errors,
    little: intervalS === undefined ? (goodput * meanS) / cell.load.concurrency : null,
    sidecars,
  }
}

/** Converts milliseconds of the wall clock to seconds of hey's own clock. */
function clockOf({ spawnedAt, output, slices }: Observation): (at: number) => number {
  const sinceSpawn = (at: number): number => (at - spawnedAt) / 1000
  const pauses = slices.flatMap(({ pause }) => (pause ? [{ heldS: sinceSpawn(pause.heldAt), resumedS: sinceSpawn(pause.resumedAt) }] : []))
  const lagS = lagOf(output, pauses)
  return (at) => sinceSpawn(at) - lagS
}

/** Errors by kind. */
function errorsOf({ output, lost, counted }: Observation, { wrongStatus }: Window, { workload, load }: Cell): Record<string, number> {
  const successes = output.statuses.filter((status) => status === workload.expect.status).length
  const isWorkDone = !counted || workWasDone(counted.perRequest, counted.before, counted.after, successes, load.concurrency)
  return {
    ...output.errors,
    ...(wrongStatus > 0 ? { 'wrong-status': wrongStatus } : {}),
    ...(lost ? { 'worker-lost': 1 } : {}),
    ...(isWorkDone ? {} : { 'wrong-statements': 1 }),
  }
}

/** KiB per 1000 successful answers, with pauses of the load, because memory may grow at any time. */
function growthOf({ output, usages }: Observation, seconds: (at: number) => number, { workload }: Cell): number | null {
  const [first, last] = [usages[0], usages.at(-1)]
  if (!first || !last) return null
  const between = { resumedS: 0, fromS: seconds(first.at), toS: seconds(last.at) }
  return (last.memoryKib - first.memoryKib) / (windowOf(output, [between], workload.expect.status).succeeded / 1000)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0)
}
