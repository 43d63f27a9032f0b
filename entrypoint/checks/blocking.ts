/** Blocking: checks whether a route's waits overlap in one worker, and names the blocking call if not. */
import type { Revision } from '../config/experiment.ts'
import type { Workload } from '../config/workload.ts'
import type { Server } from '../engines/engine.ts'
import { heyArguments, startHey } from '../measure/hey.ts'
import { delayUsOf } from '../system/process-usage.ts'
import { Calls } from './calls.ts'
import { type Check, type CheckContext, eachRoute, isOver, withServer, workersOf } from './context.ts'
import { type Found, notChecked, owed } from './finding.ts'
import { hooksOf } from './hooks.ts'

/** The number of simultaneous requests, compared with one. */
const TOGETHER = 8
const WINDOW_S = 1
/** On a busy machine a worker waits although it has work. */
const TRIES = 3
/** Milliseconds that a request waits. Shorter waits are not worth overlapping. */
const LEAST_WAIT_MS = 1
/** The remaining share of the wait if requests overlap. With eight at a time it would ideally be an eighth. */
const OVERLAPPED = 0.5

const ONE_BY_ONE = 'its workers serve one request at a time'

/** @throws MeasurementError if hey or a server fails */
export const blocking: Check = async (context) => {
  const { mode } = context
  const isAlone = mode.via === 'runtime' && !mode.runtime.concurrent
  // No time changes that, so it is not owed.
  if (isAlone) return eachRoute({ ...context, deadline: Number.POSITIVE_INFINITY }, async () => notChecked(ONE_BY_ONE))
  return eachRoute(context, (revision, route) => check(context, revision, route))
}

/** Milliseconds per request in which the worker neither computes nor waits for a CPU. */
export interface Waits {
  aloneMs: number
  togetherMs: number
}

async function check(context: CheckContext, revision: Revision, route: Workload): Promise<Found> {
  return withServer(context, revision, async (server) => {
    // Compiles the code, opens connections and fills caches.
    await waitOf(context, server, route, TOGETHER)
    const seen: Waits[] = []
    const worker = await workersOf(context, server)
    const calls = new Calls(worker)
    for (let tried = 0; tried < TRIES; tried++) {
      const alone = await waitOf(context, server, route, 1, worker)
      const together = await calls.during(() => waitOf(context, server, route, TOGETHER, worker))
      if (alone === undefined || together === undefined) return owed('no request was answered')
      seen.push({ aloneMs: alone, togetherMs: together })
      if (overlapOf(seen).state === 'held' || isOver(context)) break
    }
    const found = overlapOf(seen)
    if (found.state !== 'broken') return found
    if (calls.areIdle) return { state: 'held', sentence: 'its worker waited for requests, and in no call: the machine was busy' }
    return { ...found, sentence: `${found.sentence}${calls.named()}${await hooksOf(context.mode, server)}` }
  })
}

/** Judges the try with the least remaining wait. Pure. */
export function overlapOf(seen: readonly Waits[]): Found {
  const best = seen.reduce((a, b) => (b.togetherMs < a.togetherMs ? b : a))
  const { aloneMs, togetherMs } = best
  if (Math.max(aloneMs, togetherMs) < LEAST_WAIT_MS) return { state: 'held', sentence: 'it hardly waits' }
  const figures = `one request at a time waits ${aloneMs.toFixed(1)} ms, ${TOGETHER} at a time ${Math.max(0, togetherMs).toFixed(1)} ms each`
  if (togetherMs < LEAST_WAIT_MS || togetherMs < OVERLAPPED * aloneMs)
    return { state: 'held', sentence: `its waiting overlaps: ${figures}` }
  return { state: 'broken', sentence: `its waiting does not overlap: ${figures}` }
}

/** @returns undefined if nothing was answered */
async function waitOf(
  { hey, engine, signal }: CheckContext,
  server: Server,
  workload: Workload,
  concurrency: number,
  worker: readonly number[] = [],
): Promise<number | undefined> {
  await server.usage()
  const [before, delayBefore] = [await server.clock(), delayUsOf(worker)]
  const args = heyArguments(server.url, { workload, load: { name: 'check', concurrency } }, WINDOW_S)
  const { statuses, offsetsS, latenciesS } = await startHey(hey, args, engine.loadCpus, signal).output
  const [after, delayAfter] = [await server.clock(), delayUsOf(worker)]
  if (statuses.length === 0) return undefined
  // hey needs a while to start and to print, while the worker is idle. Its last requests may end long after the window.
  const lastMs = 1000 * Math.max(...offsetsS.map((offset, i) => offset + (latenciesS[i] as number)))
  const spentMs = lastMs - (after.cpuUs - before.cpuUs) / 1000 - (delayAfter - delayBefore) / 1000
  return spentMs / statuses.length
}
