/** One run: a fresh server, one hey, one observation. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine, Server, Usage } from './engines/engine.ts'
import { heyArguments, percentile, startHey, windowOf } from './load.ts'
import { waitUntilIdle } from './machine.ts'
import type { Arm, Cell, Sample, Timing } from './types.ts'

/** How long a run waits for an idle machine. A neighbour that never rests must not stop the job. */
export const IDLE_LIMIT_MS = 5000
/** Load goes on a little after the window, so that its end is measured under load too. */
const TAIL_S = 0.1

/** What a run needs. */
export interface RunOptions {
  engine: Engine
  hey: string
  signal: AbortSignal
  /** How long a run waits for an idle machine; 0 does not wait. */
  idleLimitMs: number
}

/** The columns of samples.csv that the run itself finds out. */
export type Facts = Omit<Sample, 'job' | 'block' | 'position' | 'workload' | 'load' | 'concurrency' | 'revision' | 'mode' | 'attempt'>
export interface RunResult {
  facts: Facts
  errors: Record<string, number>
  little: number | null
  status?: Record<string, unknown> | undefined
}

/** One fresh server, one hey, one observation. */
export async function measureRun(arm: Arm, cell: Cell, timing: Timing, options: RunOptions): Promise<RunResult> {
  const { engine, signal, idleLimitMs } = options
  const statements = cell.workload.builtIn?.statements
  const server = await engine.start(arm, 'measurement')
  try {
    const before = statements ? await engine.statementCounts() : undefined
    if (idleLimitMs > 0) await waitUntilIdle(engine.machine, idleLimitMs)
    const startedAt = new Date()
    const args = heyArguments(server.url, cell, timing.warmupS + timing.windowS + TAIL_S)
    const hey = startHey(options.hey, args, engine.loadCpus, signal)
    const { start, end, peakKib } = await watch(server, hey.startedAt, timing, signal)
    const report = await hey.report
    const status = await server.status()
    const window = windowOf(report, (start.at - hey.startedAt) / 1000, (end.at - hey.startedAt) / 1000, cell.workload.expect.status)

    const errors = { ...report.errors }
    if (window.wrongStatus) errors['wrong-status'] = window.wrongStatus
    const changed = await server.changedSince(start.pids)
    if (changed) errors['worker-lost'] = 1
    if (statements && before) {
      const successes = report.statuses.filter((status) => status === cell.workload.expect.status).length
      if (!workWasDone(statements, before, await engine.statementCounts(), successes, cell.load.concurrency)) errors['wrong-statements'] = 1
    }
    const durationS = (end.at - start.at) / 1000
    const transport = Object.values(report.errors).reduce((a, b) => a + b, 0)
    const requests = window.succeeded + window.wrongStatus + transport
    if (changed || errors['wrong-statements'] || window.succeeded === 0) {
      return { facts: failed(startedAt, durationS, Math.max(1, requests)), errors, little: null, status }
    }
    const goodput = window.succeeded / durationS
    const meanS = window.latenciesMs.reduce((a, b) => a + b, 0) / window.succeeded / 1000
    return {
      facts: {
        started_at: startedAt.toISOString(),
        duration_s: durationS,
        requests,
        succeeded: window.succeeded,
        failed: requests - window.succeeded,
        goodput_rps: goodput,
        p50_ms: percentile(window.latenciesMs, 50),
        p95_ms: percentile(window.latenciesMs, 95),
        p99_ms: percentile(window.latenciesMs, 99),
        max_ms: window.latenciesMs.at(-1) ?? null,
        cpu_us_per_request: positive((end.cpuUs - start.cpuUs) / window.succeeded),
        peak_memory_mib: positive(peakKib / 1024),
        memory_growth_kib_per_1k: (end.memoryKib - start.memoryKib) / (window.succeeded / 1000),
        half_ratio: window.halfRatio,
      },
      errors,
      little: (goodput * meanS) / cell.load.concurrency,
      status,
    }
  } finally {
    await server.stop()
  }
}

/** CPU and memory at both ends of the window; memory in its middle as well. */
async function watch(
  server: Server,
  startedAt: number,
  timing: Timing,
  signal: AbortSignal,
): Promise<{ start: Usage; end: Usage; peakKib: number }> {
  const at = async (seconds: number): Promise<Usage> => {
    await sleep(Math.max(0, startedAt + seconds * 1000 - Date.now()), undefined, { signal })
    return server.usage()
  }
  const start = await at(timing.warmupS)
  const middle = await at(timing.warmupS + timing.windowS / 2)
  const end = await at(timing.warmupS + timing.windowS)
  return { start, end, peakKib: Math.max(start.memoryKib, middle.memoryKib, end.memoryKib) }
}

/** The server's own counters must have moved by what the successful requests claim; requests that hey gave up may add theirs. */
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

/** A run without a result: its row has goodput 0. */
export function failed(startedAt: Date, durationS: number, requests: number): Facts {
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

function positive(value: number): number | null {
  return value > 0 && Number.isFinite(value) ? value : null
}
