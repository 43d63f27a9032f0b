/** Measures the blocks of the plan, quad by quad, each run on a fresh server. */

import type { Arm, Cell } from '../config/experiment.ts'
import { blocksUntil, cellName, firstBlocks, type PlannedBlock, type PlannedQuad } from '../plan/blocks.ts'
import type { Plan } from '../plan/plan.ts'
import type { Timing } from '../plan/timing.ts'
import { Cancelled, MeasurementError, messageOf } from '../system/errors.ts'
import { isOffMedian, stolenShare, waitUntilIdle } from '../system/machine.ts'
import { type Fall, fallOf } from './fallen-arms.ts'
import type { Measured } from './measured.ts'
import { Progress } from './progress.ts'
import { measureTogether, type RunOptions } from './run.ts'
import { didNotRun, isSilent, type RunResult, ran } from './run-result.ts'

export interface MeasureOptions extends RunOptions {
  say: (line: string) => void
  /** `workload/load` of the cells that decide. Failures of other cells are reported, but end nothing. */
  deciding: ReadonlySet<string>
  /** Called after every run, so that a cancelled job keeps its runs. */
  keep: (measured: Measured) => void
  /**
   * Called at each look but the last. Returns `workload/load` of the cells that need more quads. If it returns none, the measurement
   * ends.
   */
  openCells: (look: number) => Promise<string[]>
}

/** The most re-runs of a quad during which the machine was unusually fast or slow. */
const MAX_RERUNS = 2

/**
 * If an arm of head keeps failing while base's does not, the measurement ends after that block, because the analysis can decide.
 *
 * @throws MeasurementError if an arm of base, or of both, keeps failing, or the database is gone; @throws Cancelled on a signal
 */
export async function measure(plan: Plan, options: MeasureOptions): Promise<Measured> {
  const measured: Measured = { look: 1, samples: [], notes: [], probesMs: [], reruns: [] }
  const progress = new Progress(plan.runs, options.say)
  const done: PlannedBlock[] = []
  let next = firstBlocks(plan)
  while (next.length > 0) {
    for (const block of next) {
      await measureBlock(plan, block, measured, options, progress, runsIn(done))
      done.push(block)
      const fall = fallsOf(plan, measured, options).find(({ of }) => of === 'head')
      if (fall) {
        options.say(`${fall.message}\nThe measurement ends here: head answers with errors.`)
        return measured
      }
    }
    next = await afterLook(plan, done, measured, options)
  }
  return measured
}

/** The blocks of the open cells. None after the last look. */
async function afterLook(plan: Plan, done: PlannedBlock[], measured: Measured, options: MeasureOptions): Promise<PlannedBlock[]> {
  const { look } = measured
  if (look === plan.lookAt.length) return []
  const open = await options.openCells(look)
  options.say(`look ${look} of ${plan.lookAt.length}: ${open.length > 0 ? `more quads of ${open.join(', ')}` : 'decided'}`)
  const next = blocksUntil(plan, look + 1, done, open)
  if (next.length > 0) measured.look++
  return next
}

function runsIn(blocks: readonly PlannedBlock[]): number {
  return blocks.flatMap(({ quads }) => quads).reduce((sum, { arms }) => sum + arms.length, 0)
}

async function measureBlock(
  plan: Plan,
  { block, quads }: PlannedBlock,
  measured: Measured,
  options: MeasureOptions,
  progress: Progress,
  before: number,
): Promise<void> {
  for (const [i, quad] of quads.entries()) {
    await measureQuad(plan, block, quad, measured, options, progress, before + runsIn([{ block, quads: quads.slice(0, i) }]))
  }
}

async function measureQuad(
  plan: Plan,
  block: number,
  quad: PlannedQuad,
  measured: Measured,
  options: MeasureOptions,
  progress: Progress,
  /** The number of planned runs in earlier quads. */
  runsBefore: number,
): Promise<void> {
  for (let attempt = 1; attempt <= 1 + MAX_RERUNS; attempt++) {
    const idle = options.idleLimitMs > 0 && (await waitUntilIdle(options.engine.machine, options.idleLimitMs))
    const probeMs = await options.engine.machine.probeMs()
    const silent: string[] = []
    const turns = quad.timing.slices > 1 ? [quad.arms] : quad.arms.map((arm) => [arm])
    for (const arms of turns) {
      if (options.signal.aborted) throw new Cancelled('The measurement was cancelled.')
      const before = await options.engine.machine.stat()
      const results = await runsOrFailures(arms, quad.cell, quad.timing, options)
      const stolen = stolenShare(before, await options.engine.machine.stat())
      for (const [i, { line, errors, little, sidecarCpus, busy, status, failure }] of results.entries()) {
        const arm = arms[i] as Arm
        const key = {
          job: plan.job,
          block,
          position: quad.arms.indexOf(arm) + 1,
          workload: quad.cell.workload.name,
          load: quad.cell.load.name,
          revision: arm.revision,
          mode: arm.mode.name,
          attempt,
        }
        if (isSilent({ line, errors })) silent.push(`${arm.revision} ${arm.mode.name}`)
        measured.samples.push({ ...key, concurrency: quad.cell.load.concurrency, ...line })
        measured.notes.push({
          ...key,
          errors,
          little,
          relay_cpus: sidecarCpus.relay,
          upstream_cpus: sidecarCpus.upstream,
          busy,
          idle,
          stolen,
          status,
          failure,
        })
        progress.ran({
          number: runsBefore + key.position,
          isAgain: attempt > 1,
          unsaid: results.length - 1 - i,
          what: `${cellName(quad.cell)} ${arm.revision} ${arm.mode.name}`,
          goodput: line.goodput_rps,
          errors,
        })
      }
      options.keep(measured)
    }
    const fall = fallsOf(plan, measured, options).find(({ of }) => of === 'both')
    if (fall) throw new MeasurementError(fall.message)
    const wasOff = isOffMedian(probeMs, measured.probesMs)
    measured.probesMs.push(probeMs)
    const why = wasOff
      ? `CPU probe of ${probeMs.toFixed(0)} ms differs too much from the job's median`
      : silent.length > 0 && `no answer of ${silent.join(', ')} arrived inside the window, and no request failed`
    if (!why || attempt > MAX_RERUNS) return
    measured.reruns.push({ block, cell: cellName(quad.cell), attempt: attempt + 1, why })
    options.say(`${cellName(quad.cell)} of block ${block} is run again: ${why}`)
  }
}

function fallsOf(plan: Plan, measured: Measured, { deciding }: MeasureOptions): Fall[] {
  return plan.modes.flatMap(({ name }) => fallOf(measured, name, deciding) ?? [])
}

/** Measures the arms. A run that cannot be made is an observation, too. */
async function runsOrFailures(arms: readonly Arm[], cell: Cell, timing: Timing, options: MeasureOptions): Promise<RunResult[]> {
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
