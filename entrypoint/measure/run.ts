/** Runs arms of a cell together, each with a fresh server and one hey, and handles failed steps. */
import { type Arm, type Cell, workloadFor } from '../config/experiment.ts'
import { longestHoldS, type Timing } from '../plan/timing.ts'
import { messageOf } from '../system/errors.ts'
import type { Patience } from '../system/machine.ts'
import { allOf } from '../system/settle-all.ts'
import { failureOf } from './failure.ts'
import { Opened } from './opened.ts'
import { didNotRun, type RunResult } from './run-result.ts'
import { countStatements, finish, type Ready, type StepOptions, slice, start, warmUp } from './run-steps.ts'

/** What a run needs. */
export interface RunOptions extends StepOptions {
  /** Waits for an idle machine; undefined does not wait. */
  patience: Patience | undefined
}

/** A run after a step: the step's value, or the result of a run that could not be made. */
type Tried<Run> = Run | { failed: RunResult }

/**
 * Measures the arms. If the window is cut into slices, they take turns, so that a slow moment of the machine affects all of them.
 *
 * @returns the results in the order of the arms, also for arms that could not be measured
 */
export async function measureTogether(arms: readonly Arm[], cell: Cell, timing: Timing, options: RunOptions): Promise<RunResult[]> {
  const { engine, signal, patience } = options
  for (const revision of new Set(arms.map((arm) => arm.revision))) await engine.restore(revision)
  const ready = arms.map((arm): Ready => {
    const ofArm = { workload: workloadFor(cell, arm.revision), load: cell.load }
    return { arm, cell: ofArm, timing, heldS: longestHoldS(arms.length, timing), options, startedAt: new Date(), opened: new Opened() }
  })
  try {
    // Nothing is timed yet, so the servers boot at the same time, and warm up at the same time.
    const booted = await allOf(ready.map(async (run) => attempt(await attempt(run, start), countStatements)))
    await patience?.untilIdle(engine.machine)
    signal.throwIfAborted()
    let runs = await allOf(booted.map((run) => attempt(run, warmUp)))
    for (let index = 0; index < timing.slices; index++) {
      // Forwards, then backwards, so that linear drift cancels in each pair of slices.
      const isWayBack = index % 2 === 1
      const done = await inTurn(isWayBack ? runs.toReversed() : runs, (run) => slice(run, index), signal)
      runs = isWayBack ? done.toReversed() : done
    }
    const finished = await inTurn(runs, async (run) => ({ result: await finish(run) }), signal)
    return finished.map((run) => ('failed' in run ? run.failed : run.result))
  } finally {
    await allOf(ready.map(({ opened }) => opened.close()))
  }
}

/** Runs a step of each arm, one after the other. */
async function inTurn<From extends Ready, To>(
  runs: readonly Tried<From>[],
  step: (run: From) => Promise<To>,
  signal: AbortSignal,
): Promise<Tried<To>[]> {
  const after: Tried<To>[] = []
  for (const run of runs) {
    signal.throwIfAborted()
    after.push(await attempt(run, step))
  }
  return after
}

/** Skips the step of a failed run. The other arms continue. */
async function attempt<From extends Ready, To>(run: Tried<From>, step: (run: From) => Promise<To>): Promise<Tried<To>> {
  if ('failed' in run) return run
  try {
    return await step(run)
  } catch (error) {
    run.options.signal.throwIfAborted()
    const failure = await failureOf(run.server, run.cell, run.meter?.seen ?? [], messageOf(error))
    await run.opened.close()
    return { failed: didNotRun(run.startedAt, run.timing.windowS, failure) }
  }
}
