/** One run: a fresh server, one hey, one observation. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Arm, type Cell, workloadFor } from '../config/experiment.ts'
import type { Clock, Engine, Server, Usage } from '../engines/engine.ts'
import type { Timing } from '../plan/plan.ts'
import { messageOf } from '../system/errors.ts'
import { waitUntilIdle } from '../system/machine.ts'
import { allOf } from '../system/settle-all.ts'
import { failureOf } from './failure.ts'
import { type HeyProcess, heyArguments, lagOf, percentile, startHey, windowOf } from './hey.ts'
import { didNotRun, failed, positive, type RunResult, workWasDone } from './run-result.ts'

/** How long a run waits for an idle machine. A neighbour that never rests must not stop the job. */
export const IDLE_LIMIT_MS = 5000
/** Load goes on a little after the window, so that its end is measured under load too. */
const TAIL_S = 0.1
/** A hey that takes turns is told when to finish; were it forgotten, it would end by itself. */
const HOLD_LIMIT_S = 600

/** What a run needs. */
export interface RunOptions {
  engine: Engine
  hey: string
  signal: AbortSignal
  /** How long a run waits for an idle machine; 0 does not wait. */
  idleLimitMs: number
}

/**
 * The runs of some arms of a quad, each of one fresh server and one hey. Where the window is cut into slices the arms take turns,
 * so that a machine which is slower for some seconds is slower for all of them.
 *
 * @returns in the order of the arms, also of those that could not be measured
 */
export async function measureTogether(arms: readonly Arm[], cell: Cell, timing: Timing, options: RunOptions): Promise<RunResult[]> {
  const { engine, signal, idleLimitMs } = options
  for (const revision of new Set(arms.map((arm) => arm.revision))) await engine.restore(revision)
  const runs = arms.map((arm) => new Run(arm, cell, timing, options))
  const each = async (inOrder: Run[], step: (run: Run) => Promise<void>): Promise<void> => {
    for (const run of inOrder) {
      signal.throwIfAborted()
      await run.attempt(step)
    }
  }
  try {
    // Nothing is timed yet, so the servers boot side by side.
    await allOf(runs.map((run) => run.attempt(() => run.start())))
    if (idleLimitMs > 0) await waitUntilIdle(engine.machine, idleLimitMs)
    await each(runs, (run) => run.warmUp())
    for (let slice = 0; slice < timing.slices; slice++) {
      // There and back again: linear drift cancels in each pair of slices.
      await each(slice % 2 === 0 ? runs : [...runs].reverse(), (run) => run.slice(slice))
    }
    await each(runs, (run) => run.finish())
    return runs.map((run) => run.result as RunResult)
  } finally {
    await allOf(runs.map((run) => run.stop()))
  }
}

/** One fresh server, one hey, one observation. */
class Run {
  private server: Server | undefined
  private hey: HeyProcess | undefined
  private statementsBefore: Record<string, number> | undefined
  private readonly spans: { resumedAt: number; start: Clock; end: Clock }[] = []
  private readonly pauses: { heldAt: number; resumedAt: number }[] = []
  private heldAt = 0
  private readonly memory: Usage[] = []
  private startedAt = new Date()
  result: RunResult | undefined
  private hasFailed = false
  /** With the definition of this arm's revision. */
  private readonly cell: Cell

  constructor(
    private readonly arm: Arm,
    cell: Cell,
    private readonly timing: Timing,
    private readonly options: RunOptions,
  ) {
    this.cell = { workload: workloadFor(cell, arm.revision), load: cell.load }
  }

  /** A step of a run that has failed is left out: the other arms go on. */
  async attempt(step: (run: Run) => Promise<void>): Promise<void> {
    if (this.hasFailed) return
    try {
      await step(this)
    } catch (error) {
      this.options.signal.throwIfAborted()
      this.hasFailed = true
      const failure = await failureOf(this.server, this.cell, this.memory, messageOf(error))
      this.result = didNotRun(this.startedAt, this.timing.windowS, failure)
      await this.stop()
    }
  }

  async start(): Promise<void> {
    this.server = await this.options.engine.start(this.arm, 'measurement')
    if (this.statements) this.statementsBefore = await this.options.engine.statementCounts()
  }

  async warmUp(): Promise<void> {
    const { cell, timing, options } = this
    this.startedAt = new Date()
    const { url } = this.server as Server
    // A hey that takes turns is told to finish.
    const limitS = this.takesTurns ? HOLD_LIMIT_S : timing.warmupS + timing.windowS + TAIL_S
    this.hey = startHey(options.hey, heyArguments(url, cell, limitS), options.engine.loadCpus, options.signal)
    await this.until(this.hey.startedAt + timing.warmupS * 1000)
    await this.hold()
  }

  /** @param index from 0 */
  async slice(index: number): Promise<void> {
    const { timing } = this
    const server = this.server as Server
    const hey = this.hey as HeyProcess
    const lengthMs = (timing.windowS / timing.slices) * 1000
    const resumedAt = this.takesTurns ? Date.now() : hey.startedAt
    if (this.takesTurns) {
      hey.resume()
      this.pauses.push({ heldAt: this.heldAt, resumedAt })
      await this.until(resumedAt + timing.guardS * 1000)
    }
    const start = index === 0 ? await this.usage() : await server.clock()
    if (timing.slices === 1) {
      await this.until(start.at + lengthMs / 2)
      await this.usage()
    }
    await this.until(start.at + lengthMs)
    const end = index === timing.slices - 1 ? await this.usage() : await server.clock()
    this.spans.push({ resumedAt, start, end })
    await this.hold()
  }

  /** Lets the next arm have its turn, once what is in flight is answered. */
  private async hold(): Promise<void> {
    if (!this.takesTurns) return
    this.hey?.hold()
    this.heldAt = Date.now()
    await this.until(this.heldAt + this.timing.guardS * 1000)
  }

  async finish(): Promise<void> {
    const { cell, options, startedAt } = this
    const server = this.server as Server
    const hey = this.hey as HeyProcess
    if (this.takesTurns) {
      hey.resume()
      hey.finish()
    }
    const report = await hey.report
    const status = await server.status()
    const sinceSpawn = (at: number): number => (at - hey.startedAt) / 1000
    const lagS = lagOf(
      report,
      this.pauses.map(({ heldAt, resumedAt }) => ({ heldS: sinceSpawn(heldAt), resumedS: sinceSpawn(resumedAt) })),
    )
    const seconds = (at: number): number => sinceSpawn(at) - lagS
    const spans = this.spans.map(({ resumedAt, start, end }) => ({
      resumedS: this.takesTurns ? seconds(resumedAt) : 0,
      fromS: seconds(start.at),
      toS: seconds(end.at),
    }))
    const window = windowOf(report, spans, cell.workload.expect.status)
    const [first, last] = [this.memory[0] as Usage, this.memory.at(-1) as Usage]

    const errors = { ...report.errors }
    if (window.wrongStatus) errors['wrong-status'] = window.wrongStatus
    const lost = await server.lost()
    if (lost) errors['worker-lost'] = 1
    if (this.statements && this.statementsBefore) {
      const successes = report.statuses.filter((status) => status === cell.workload.expect.status).length
      const after = await options.engine.statementCounts()
      if (!workWasDone(this.statements, this.statementsBefore, after, successes, cell.load.concurrency)) errors['wrong-statements'] = 1
    }
    const durationS = spans.reduce((sum, { fromS, toS }) => sum + toS - fromS, 0)
    const transport = Object.values(report.errors).reduce((a, b) => a + b, 0)
    const requests = window.succeeded + window.wrongStatus + transport
    const failure = Object.keys(errors).length ? await failureOf(server, cell, this.memory, lost) : undefined
    if (lost || errors['wrong-statements'] || window.succeeded === 0) {
      this.result = { facts: failed(startedAt, durationS, Math.max(1, requests)), errors, little: null, status, failure }
      return
    }
    const goodput = window.succeeded / durationS
    const meanS = window.latenciesMs.reduce((a, b) => a + b, 0) / window.latenciesMs.length / 1000
    const cpuUs = this.spans.reduce((sum, { start, end }) => sum + end.cpuUs - start.cpuUs, 0)
    const between = { resumedS: 0, fromS: seconds(first.at), toS: seconds(last.at) }
    const servedBetween = windowOf(report, [between], cell.workload.expect.status).succeeded
    this.result = {
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
        cpu_us_per_request: positive(cpuUs / window.succeeded),
        peak_memory_mib: positive(Math.max(...this.memory.map(({ memoryKib }) => memoryKib)) / 1024),
        memory_growth_kib_per_1k: (last.memoryKib - first.memoryKib) / (servedBetween / 1000),
        half_ratio: window.halfRatio,
      },
      errors,
      little: (goodput * meanS) / cell.load.concurrency,
      status,
      failure,
    }
  }

  async stop(): Promise<void> {
    this.hey?.kill()
    await this.server?.stop()
    this.server = undefined
  }

  private get takesTurns(): boolean {
    return this.timing.slices > 1
  }

  private get statements(): Record<string, number> | undefined {
    return this.cell.workload.builtIn?.statements
  }

  private async usage(): Promise<Usage> {
    const usage = await (this.server as Server).usage()
    this.memory.push(usage)
    return usage
  }

  private async until(at: number): Promise<void> {
    await sleep(Math.max(0, at - Date.now()), undefined, { signal: this.options.signal })
  }
}
