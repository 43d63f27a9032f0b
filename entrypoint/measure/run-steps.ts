/** The steps of one run: started, booted, warm, sliced, result. Each takes the value that the one before it returned. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Arm, Cell } from '../config/experiment.ts'
import type { Engine, Server, Usage } from '../engines/engine.ts'
import type { Timing } from '../plan/timing.ts'
import { busyShare } from '../system/machine.ts'
import { failureOf } from './failure.ts'
import { type HeyProcess, heyArguments, startHey } from './hey.ts'
import type { Opened } from './opened.ts'
import type { RunResult } from './run-result.ts'
import { grown } from './sidecar-use.ts'
import { type Pause, type Slice, summarise } from './summarise.ts'

/** Load continues a little after the window, so that its end is measured under load, too. */
const TAIL_S = 0.1
/** A hey that takes turns is told when to finish. This limit ends one that was never told. */
const HOLD_LIMIT_S = 600

/** What the steps of a run need. */
export interface StepOptions {
  engine: Engine
  /** The path of the program. */
  hey: string
  signal: AbortSignal
}

/** An arm before its run. */
export interface Ready {
  arm: Arm
  /** The cell, with the definition of this arm's revision. */
  cell: Cell
  timing: Timing
  /** The longest time for which its load may be held. */
  heldS: number
  options: StepOptions
  /** The start of its load. Before that, the start of the run. */
  startedAt: Date
  opened: Opened
  server?: Server
  meter?: Meter
}

/** Its server answers. */
interface Started extends Ready {
  server: Server
  meter: Meter
}

/** The statements of one request were counted, if the workload declares some. */
interface Booted extends Started {
  statements: { perRequest: Record<string, number>; before: Record<string, number> } | undefined
}

/** Its load has begun, and some slices of its window are over. */
interface Warm extends Booted {
  hey: HeyProcess
  /** When its load was held, in milliseconds of the wall clock. Undefined for an arm that does not take turns. */
  heldAt: number | undefined
  slices: readonly Slice[]
}

/** Reads the usage of a server, and keeps the readings for a run that fails later. */
class Meter {
  readonly seen: Usage[] = []

  constructor(private readonly server: Server) {}

  async usage(): Promise<Usage> {
    const usage = await this.server.usage()
    this.seen.push(usage)
    return usage
  }
}

export async function start(run: Ready): Promise<Started> {
  const server = await run.options.engine.start(run.arm, 'measurement')
  run.opened.add(() => server.stop())
  return { ...run, server, meter: new Meter(server) }
}

export async function countStatements(run: Started): Promise<Booted> {
  const perRequest = run.cell.workload.builtIn?.statements
  return { ...run, statements: perRequest && { perRequest, before: await run.options.engine.statementCounts() } }
}

export async function warmUp(run: Booted): Promise<Warm> {
  const { cell, timing, options, server } = run
  const startedAt = new Date()
  // A hey that takes turns is told when to finish.
  const limitS = takesTurns(timing) ? HOLD_LIMIT_S : timing.warmupS + timing.windowS + TAIL_S
  const hey = startHey(options.hey, heyArguments(server.url, cell, limitS, run.heldS), options.engine.loadCpus, options.signal)
  run.opened.add(() => hey.kill())
  await until(hey.startedAt + timing.warmupS * 1000, options.signal)
  return { ...run, startedAt, hey, heldAt: await hold(hey, run), slices: [] }
}

/** @param index the number of the slice in the window, from 0 */
export async function slice(run: Warm, index: number): Promise<Warm> {
  const { timing, server, meter, hey, heldAt, options } = run
  const lengthMs = (timing.windowS / timing.slices) * 1000
  const pause = heldAt === undefined ? undefined : await resume(hey, heldAt, run)
  const { machine } = options.engine
  const before = await machine.stat()
  const sidecarsBefore = await options.engine.sidecarUses()
  const begin = index === 0 ? await meter.usage() : await server.clock()
  if (timing.slices === 1) {
    await until(begin.at + lengthMs / 2, options.signal)
    await meter.usage()
  }
  await until(begin.at + lengthMs, options.signal)
  const end = index === timing.slices - 1 ? await meter.usage() : await server.clock()
  const sidecars = grown(sidecarsBefore, await options.engine.sidecarUses())
  const around = { before, after: await machine.stat() }
  return { ...run, heldAt: await hold(hey, run), slices: [...run.slices, { pause, start: begin, end, sidecars, machine: around }] }
}

export async function finish(run: Warm): Promise<RunResult> {
  const { cell, options, timing, server, meter, hey, startedAt, slices, statements } = run
  if (takesTurns(timing)) {
    hey.resume()
    hey.finish()
  }
  const output = await hey.output
  const status = await server.status()
  const lost = await server.lost()
  const counted = statements && { ...statements, after: await options.engine.statementCounts() }
  const observation = { startedAt, spawnedAt: hey.startedAt, output, slices, usages: meter.seen, lost: lost !== undefined, counted }
  const summary = summarise(observation, cell)
  const hasErrors = Object.keys(summary.errors).length > 0
  const message = lost && `${lost}. Every request of such a run counts as failed`
  const busy = busyShare(slices.flatMap(({ machine }) => machine ?? []))
  return { ...summary, busy, status, failure: hasErrors ? await failureOf(server, cell, meter.seen, message) : undefined }
}

function takesTurns({ slices }: Timing): boolean {
  return slices > 1
}

/** Holds the load for the next arm's turn, once requests in flight are answered. @returns the time at which it was held */
async function hold(hey: HeyProcess, { timing, options }: Ready): Promise<number | undefined> {
  if (!takesTurns(timing)) return undefined
  hey.hold()
  const heldAt = Date.now()
  await until(heldAt + timing.guardS * 1000, options.signal)
  return heldAt
}

async function resume(hey: HeyProcess, heldAt: number, { timing, options }: Ready): Promise<Pause> {
  const resumedAt = Date.now()
  hey.resume()
  await until(resumedAt + timing.guardS * 1000, options.signal)
  return { heldAt, resumedAt }
}

async function until(at: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(0, at - Date.now()), undefined, { signal })
}
