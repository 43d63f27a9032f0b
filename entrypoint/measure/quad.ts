/** Measures one quad of the plan, and measures it again if the machine disturbed it. */
import type { Arm, Cell } from '../config/experiment.ts'
import { cellName, type PlannedQuad } from '../plan/blocks.ts'
import type { Plan } from '../plan/plan.ts'
import type { Timing } from '../plan/timing.ts'
import { Cancelled, MeasurementError, messageOf } from '../system/errors.ts'
import { isOffMedian, stolenShare } from '../system/machine.ts'
import { fallsOf } from './fallen-arms.ts'
import type { Measured } from './measured.ts'
import type { Progress } from './progress.ts'
import { measureTogether, type RunOptions } from './run.ts'
import { didNotRun, isSilent, type RunResult, ran } from './run-result.ts'

export interface QuadOptions extends RunOptions {
  say: (line: string) => void
  /** `workload/load` of the cells that decide. Failures of other cells are reported, but end nothing. */
  deciding: ReadonlySet<string>
  /** Called after every run, so that a cancelled job keeps its runs. */
  keep: (measured: Measured) => void
}

/** A measurement in progress. Quads add to what is measured. */
export interface Underway {
  plan: Plan
  options: QuadOptions
  measured: Measured
  progress: Progress
}

/** The place of a quad in the measurement. */
export interface QuadPlace {
  block: number
  quad: PlannedQuad
  /** The number of planned runs in earlier quads. */
  runsBefore: number
}

/** Arms whose runs took turns, with their results in the same order. */
interface Turn {
  arms: readonly Arm[]
  results: RunResult[]
  /** Whether the machine was idle before it. */
  idle: boolean
  /** The share of the machine's CPU time that a hypervisor gave to others during it. */
  stolen: number
}

/** The most re-runs of a quad. */
const MAX_RERUNS = 2

/** @throws MeasurementError if an arm of base, or of both, keeps failing, or the database is gone; @throws Cancelled on a signal */
export async function measureQuad(underway: Underway, place: QuadPlace): Promise<void> {
  const { measured, options } = underway
  const cell = cellName(place.quad.cell)
  for (let attempt = 1; ; attempt++) {
    const why = await attemptQuad(underway, place, attempt)
    if (why === undefined || attempt > MAX_RERUNS) return
    measured.reruns.push({ block: place.block, cell, attempt: attempt + 1, why })
    options.say(`${cell} of block ${place.block} is run again: ${why}`)
  }
}

/** @returns why the quad must be measured again, or undefined */
async function attemptQuad(underway: Underway, place: QuadPlace, attempt: number): Promise<string | undefined> {
  const { plan, options, measured } = underway
  const { arms, cell, timing } = place.quad
  const { machine } = options.engine
  const idle = (await options.patience?.untilIdle(machine)) ?? false
  const probeMs = await machine.probeMs()
  const silent: string[] = []
  for (const together of timing.slices > 1 ? [arms] : arms.map((arm) => [arm])) {
    if (options.signal.aborted) throw new Cancelled('The measurement was cancelled.')
    const before = await machine.stat()
    const results = await runsOrFailures(together, cell, timing, options)
    const stolen = stolenShare(before, await machine.stat())
    record(underway, place, attempt, { arms: together, results, idle, stolen })
    silent.push(...together.filter((_, i) => isSilent(results[i] as RunResult)).map(nameOf))
    options.keep(measured)
  }
  const fall = fallsOf(measured, plan.modes, options.deciding).find(({ of }) => of === 'both')
  if (fall) throw new MeasurementError(fall.message)
  const wasOff = isOffMedian(probeMs, measured.probesMs)
  measured.probesMs.push(probeMs)
  if (wasOff) return `CPU probe of ${probeMs.toFixed(0)} ms differs too much from the job's median`
  return silent.length > 0 ? `no answer of ${silent.join(', ')} arrived inside the window, and no request failed` : undefined
}

/** Adds the runs of a turn to what is measured, and prints them. */
function record({ plan, measured, progress }: Underway, place: QuadPlace, attempt: number, turn: Turn): void {
  const { cell, arms } = place.quad
  for (const [i, arm] of turn.arms.entries()) {
    const { line, errors, little, sidecars, busy, status, failure } = turn.results[i] as RunResult
    const position = arms.indexOf(arm) + 1
    const key = {
      job: plan.job,
      block: place.block,
      position,
      workload: cell.workload.name,
      load: cell.load.name,
      revision: arm.revision,
      mode: arm.mode.name,
      attempt,
    }
    measured.samples.push({ ...key, concurrency: cell.load.concurrency, ...line })
    const { relay, upstream } = sidecars
    const used = { relay_cpus: relay?.cpus, relay_p99_late_ms: relay?.p99LateMs, upstream_cpus: upstream?.cpus }
    measured.notes.push({ ...key, errors, little, ...used, busy, idle: turn.idle, stolen: turn.stolen, status, failure })
    progress.ran({
      number: place.runsBefore + position,
      isAgain: attempt > 1,
      unsaid: turn.arms.length - 1 - i,
      what: `${cellName(cell)} ${nameOf(arm)}`,
      goodput: line.goodput_rps,
      errors,
    })
  }
}

const nameOf = ({ revision, mode }: Arm): string => `${revision} ${mode.name}`

/** Measures the arms. A run that cannot be made is an observation, too. */
async function runsOrFailures(arms: readonly Arm[], cell: Cell, timing: Timing, options: QuadOptions): Promise<RunResult[]> {
  const startedAt = new Date()
  const results = await measureTogether(arms, cell, timing, options).catch((error) => {
    if (options.signal.aborted) throw new Cancelled('The measurement was cancelled.')
    return arms.map(() => didNotRun(startedAt, timing.windowS, { message: messageOf(error), logTail: '', log: '', memoryMib: null }))
  })
  const missing = results.filter((result) => !ran(result))
  // Without its database or daemon every further run would fail, which says nothing about head.
  if (missing.length) await options.engine.assertAlive()
  for (const { failure } of missing) options.say(failure?.message ?? '')
  return results
}
