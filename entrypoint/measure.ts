/** Runs -> samples: the blocks of the plan, one run at a time, each on a fresh server. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine, Server } from './engines/engine.ts'
import { Cancelled, MeasurementError, messageOf } from './errors.ts'
import { heyArguments, percentile, startHey, windowOf } from './load.ts'
import { isOffMedian, probeCpu, waitUntilIdle } from './machine.ts'
import { cellName } from './plan.ts'
import type { Usage } from './processes.ts'
import type { Arm, Cell, Plan, PlannedQuad, Sample, Timing } from './types.ts'

/** What is known of a run beyond its line in samples.csv. */
export interface RunNote {
  job: string
  block: number
  position: number
  workload: string
  load: string
  revision: string
  mode: string
  attempt: number
  /** Errors by kind, over the whole run. */
  errors: Record<string, number>
  /** Goodput x mean latency / concurrency: 1 in a closed loop. */
  little: number | null
  /** Whether the machine was idle before the run. */
  idle: boolean
  /** The server's own counters after it. */
  status?: Record<string, unknown> | undefined
}

export interface Measured {
  samples: Sample[]
  notes: RunNote[]
  probesMs: number[]
  /** Quads that were run again, and why. */
  reruns: { block: number; cell: string; attempt: number; why: string }[]
}

export interface MeasureOptions {
  engine: Engine
  hey: string
  /** CPU set of hey. */
  loadCpus: string | undefined
  signal: AbortSignal
  say: (line: string) => void
  /** Called after every run, so that a cancelled job keeps what it has. */
  keep: (measured: Measured) => void
  /** Called at each look but the last; true stops the measurement. */
  isDecided: (measured: Measured) => Promise<boolean>
}

/** A quad on a machine that was not itself is run again at most this often. */
const MAX_RERUNS = 2
/** The same arm failing this often in a row is broken, not unlucky. */
const MAX_FAILED_IN_A_ROW = 3
/** Load goes on a little after the window, so that its end is measured under load too. */
const TAIL_S = 0.1
const IDLE_LIMIT_MS = 5000

/** @throws MeasurementError if an arm keeps failing or the database is gone; @throws Cancelled on a signal */
export async function measure(plan: Plan, options: MeasureOptions): Promise<Measured> {
  const measured: Measured = { samples: [], notes: [], probesMs: [], reruns: [] }
  const progress = new Progress(plan, options.say)
  for (const { block, quads } of plan.blocks) {
    for (const quad of quads) {
      await measureQuad(plan, block, quad, measured, options, progress)
    }
    const isLook = plan.lookAt.includes(block) && block !== plan.lookAt.at(-1)
    if (isLook && (await options.isDecided(measured))) break
  }
  return measured
}

async function measureQuad(
  plan: Plan,
  block: number,
  quad: PlannedQuad,
  measured: Measured,
  options: MeasureOptions,
  progress: Progress,
): Promise<void> {
  for (let attempt = 1; attempt <= 1 + MAX_RERUNS; attempt++) {
    const idle = await waitUntilIdle(IDLE_LIMIT_MS)
    const probeMs = probeCpu()
    for (const [i, arm] of quad.arms.entries()) {
      if (options.signal.aborted) throw new Cancelled('The measurement was cancelled.')
      const key = {
        job: plan.job,
        block,
        position: i + 1,
        workload: quad.cell.workload.name,
        load: quad.cell.load.name,
        revision: arm.revision,
        mode: arm.mode.name,
        attempt,
      }
      const { facts, errors, little, status } = await runOrFailure(arm, quad.cell, quad.timing, options)
      measured.samples.push({ ...key, concurrency: quad.cell.load.concurrency, ...facts })
      measured.notes.push({ ...key, errors, little, idle, status })
      options.keep(measured)
      progress.ran(`${cellName(quad.cell)} ${arm.revision} ${arm.mode.name}`, facts.goodput_rps, errors)
      refuseBrokenArm(measured, arm)
    }
    const wasOff = isOffMedian(probeMs, measured.probesMs)
    measured.probesMs.push(probeMs)
    if (!wasOff || attempt > MAX_RERUNS) return
    const why = `CPU probe of ${probeMs.toFixed(0)} ms is far off the job's median`
    measured.reruns.push({ block, cell: cellName(quad.cell), attempt: attempt + 1, why })
    options.say(`${cellName(quad.cell)} of block ${block} is run again: ${why}`)
  }
}

type Facts = Omit<Sample, 'job' | 'block' | 'position' | 'workload' | 'load' | 'concurrency' | 'revision' | 'mode' | 'attempt'>
interface RunResult {
  facts: Facts
  errors: Record<string, number>
  little: number | null
  status?: Record<string, unknown> | undefined
}

/** A run that cannot be made is an observation too: goodput 0, with the kind of its error. */
async function runOrFailure(arm: Arm, cell: Cell, timing: Timing, options: MeasureOptions): Promise<RunResult> {
  const startedAt = new Date()
  try {
    return await measureRun(arm, cell, timing, options)
  } catch (error) {
    if (options.signal.aborted) throw new Cancelled('The measurement was cancelled.')
    // Without its database every further run would fail; that says nothing about head.
    if (options.engine.hasDatabase) await options.engine.statementCounts()
    options.say(messageOf(error))
    return { facts: failed(startedAt, timing.windowS, 0), errors: { 'did-not-run': 1 }, little: null }
  }
}

/** One fresh server, one hey, one observation. */
export async function measureRun(
  arm: Arm,
  cell: Cell,
  timing: Timing,
  options: Pick<MeasureOptions, 'engine' | 'hey' | 'loadCpus' | 'signal'>,
): Promise<RunResult> {
  const { engine, signal } = options
  const statements = cell.workload.builtIn?.statements
  const server = await engine.start(arm)
  try {
    const before = statements ? await engine.statementCounts() : undefined
    await waitUntilIdle(IDLE_LIMIT_MS)
    const startedAt = new Date()
    const args = heyArguments(server.url, cell, timing.warmupS + timing.windowS + TAIL_S)
    const hey = startHey(options.hey, args, options.loadCpus, signal)
    const { start, end, peakKib } = await watch(server, hey.startedAt, timing, signal)
    const report = await hey.report
    const status = await server.status()
    const window = windowOf(report, (start.at - hey.startedAt) / 1000, (end.at - hey.startedAt) / 1000, cell.workload.expect.status)

    const errors = { ...report.errors }
    if (window.wrongStatus) errors['wrong-status'] = window.wrongStatus
    const changed = server.changedSince(start.usage.pids)
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
        cpu_us_per_request: positive((end.usage.cpuUs - start.usage.cpuUs) / window.succeeded),
        peak_memory_mib: positive(peakKib / 1024),
        memory_growth_kib_per_1k: (end.usage.memoryKib - start.usage.memoryKib) / (window.succeeded / 1000),
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

interface Moment {
  /** Milliseconds on the wall clock. */
  at: number
  usage: Usage
}

/** CPU and memory at both ends of the window; memory in its middle as well. */
async function watch(
  server: Server,
  startedAt: number,
  timing: Timing,
  signal: AbortSignal,
): Promise<{ start: Moment; end: Moment; peakKib: number }> {
  const at = async (seconds: number): Promise<Moment> => {
    await sleep(Math.max(0, startedAt + seconds * 1000 - Date.now()), undefined, { signal })
    const usage = server.usage(true)
    return { at: Date.now(), usage }
  }
  const start = await at(timing.warmupS)
  const middle = await at(timing.warmupS + timing.windowS / 2)
  const end = await at(timing.warmupS + timing.windowS)
  return { start, end, peakKib: Math.max(start.usage.memoryKib, middle.usage.memoryKib, end.usage.memoryKib) }
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

function failed(startedAt: Date, durationS: number, requests: number): Facts {
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

function refuseBrokenArm(measured: Measured, arm: Arm): void {
  const ofArm = measured.samples.filter((sample) => sample.revision === arm.revision && sample.mode === arm.mode.name)
  const last = ofArm.slice(-MAX_FAILED_IN_A_ROW)
  if (last.length === MAX_FAILED_IN_A_ROW && last.every((sample) => sample.goodput_rps === 0)) {
    const kinds = [...new Set(measured.notes.slice(-12).flatMap((note) => Object.keys(note.errors)))]
    throw new MeasurementError(
      `${arm.mode.name} of ${arm.revision} failed ${MAX_FAILED_IN_A_ROW} runs in a row (${kinds.join(', ')}). The measurement stops here.`,
    )
  }
}

/** A line a run, with the time that is left. */
class Progress {
  private readonly startedAt = Date.now()
  private done = 0

  constructor(
    private readonly plan: Plan,
    private readonly say: (line: string) => void,
  ) {}

  ran(what: string, goodput: number, errors: Record<string, number>): void {
    this.done++
    const left = Math.max(0, ((Date.now() - this.startedAt) / this.done) * (this.plan.runs - this.done))
    const problems = Object.entries(errors).map(([kind, count]) => `${count} ${kind}`)
    this.say(
      `run ${this.done}/${this.plan.runs}, ${Math.ceil(left / 60_000)} min left: ${what}: ${goodput.toFixed(1)}/s${problems.length ? ` (${problems.join(', ')})` : ''}`,
    )
  }
}
