/** Leak: checks whether memory still grows with the requests after a warm-up. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Revision } from '../config/experiment.ts'
import type { Workload } from '../config/workload.ts'
import type { Server } from '../engines/engine.ts'
import { countedRequests, heyArguments, startHey } from '../measure/hey.ts'
import { type Check, type CheckContext, TIME_IS_OVER, withServer } from './context.ts'
import { owed, placed } from './finding.ts'
import { growthOf, type Series } from './growth.ts'

/** Slices per route. The first third is warm-up, and an interval needs some of the rest. */
const SLICES = 18
const SHORTEST_S = 0.25
/** A longer soak finds little more. */
const LONGEST_S = 30
/** Seconds for hey's start, and for the readings around a slice. */
const AROUND_S = 0.25
/** Requests per app instance before a slice of another route. */
const SETTLING = 2
/** How far the time may be exceeded. A first slice takes longer than the others. */
const SLACK = 1.25
/** Milliseconds within which the server notices that hey closed its connections. */
const REST_MS = 40

/** The format of php/src/Server/Held.php. */
const memory = z.object({
  pid: z.number(),
  heap: z.number(),
  mapped: z.number(),
  coroutines: z.number().optional(),
  timers: z.number().optional(),
})
/** `outside` is what the processes have besides the memory that PHP has mapped. */
type Reading = z.output<typeof memory> & { outside: number }

export const leak: Check = async (context) => {
  const found = []
  for (const [i, revision] of context.revisions.entries()) {
    const secondsLeft = (context.deadline - Date.now()) / 1000
    found.push(...(await soak(context, revision, secondsLeft / (context.revisions.length - i))))
  }
  return found
}

/** One series per route that the time suffices for. The first routes come first. */
interface Soaked {
  series: Series[]
  /** Whether the worker ended before the last slice. */
  hasEnded: boolean
}

const NOTHING: Soaked = { series: [], hasEnded: false }
const WORKER_ENDED = 'its worker ended during the soak, before enough was seen'

/** The routes take turns, slice by slice, so that each has early and late ones. */
async function soak(context: CheckContext, revision: Revision, seconds: number): Promise<Awaited<ReturnType<Check>>> {
  const routes = context.routesOf(revision)
  const most = Math.floor(seconds / SLICES / (SHORTEST_S + AROUND_S))
  const some = routes.slice(0, most)
  const sliceS = Math.min(LONGEST_S, seconds) / SLICES / some.length - AROUND_S
  const until = Date.now() + seconds * 1000 * SLACK
  const plan = { sliceS: Math.max(SHORTEST_S, sliceS), until }
  const { series, hasEnded } =
    some.length === 0 ? NOTHING : await withServer(context, revision, (server) => readings(context, server, some, plan))
  const grown = series.length === 0 ? [] : await growthOf(series, context.rscript)
  const growths = grown.map((found, i) => ((series[i] as Series).requests.length < SLICES && found.isOwed ? undefined : found))
  return routes.map((workload, i) => ({ revision, ...placed(workload), ...(growths[i] ?? owed(hasEnded ? WORKER_ENDED : TIME_IS_OVER)) }))
}

async function readings(
  context: CheckContext,
  server: Server,
  routes: readonly Workload[],
  { sliceS, until }: { sliceS: number; until: number },
): Promise<Soaked> {
  const series = routes.map((): Series => ({ requests: [], heap: [], whole: [], coroutines: 0, timers: 0 }))
  const tookMs: number[] = []
  let soaked = routes.length
  let before = await reading(server, context)
  const { pid } = before
  for (let slice = 0; slice < SLICES && Date.now() < until; slice++) {
    for (const [i, workload] of routes.slice(0, soaked).entries()) {
      const begun = Date.now()
      const step = async (): Promise<{ requests: number; after: Reading }> => {
        if (routes.length > 1) before = await settled(server, workload, context)
        return { requests: await load(context, server, workload, sliceS), after: await reading(server, context) }
      }
      // A worker that has no memory left ends. What it showed before is enough.
      const taken = await step().catch(async (error: unknown) => {
        await context.engine.assertAlive()
        if (context.signal.aborted) throw error
        return undefined
      })
      if (taken === undefined || taken.after.pid !== pid) return { series: slice === 0 ? [] : series.slice(0, soaked), hasEnded: true }
      const { requests, after } = taken
      const of = series[i] as Series
      of.requests.push(requests)
      of.heap.push(after.heap - before.heap)
      of.whole.push(after.outside - before.outside)
      of.coroutines += (after.coroutines ?? 0) - (before.coroutines ?? 0)
      of.timers += (after.timers ?? 0) - (before.timers ?? 0)
      before = after
      tookMs[i] = (tookMs[i] ?? 0) + Date.now() - begun
    }
    if (slice === SLICES - 1) break
    const means = tookMs.slice(0, soaked).map((ms) => ms / (slice + 1))
    const fits = fitting(means, until - Date.now(), SLICES - 1 - slice)
    // A soak that has begun well goes on until the time is over: R can do with fewer slices.
    soaked = slice === 0 ? fits : Math.max(1, fits)
    if (soaked === 0) break
  }
  return { series: series.slice(0, soaked), hasEnded: false }
}

/** The number of routes whose other slices fit into the time. An app may take seconds for each request. Pure. */
export function fitting(sliceMs: readonly number[], leftMs: number, slices: number): number {
  const ends = sliceMs.map((_, i) => slices * sliceMs.slice(0, i + 1).reduce((sum, ms) => sum + ms, 0))
  return ends.filter((ms) => ms <= leftMs).length
}

/**
 * Each app instance keeps its last request and answer until the next one. Where routes take turns, that looked like growth of those with
 * large answers. So every instance answers the route itself before the first reading.
 */
async function settled(server: Server, workload: Workload, context: CheckContext): Promise<Reading> {
  const { hey, engine, concurrency, connections, signal } = context
  const requests = Math.ceil((SETTLING * connections) / concurrency) * concurrency
  await startHey(hey, countedRequests(server.url, workload, requests, concurrency), engine.loadCpus, signal).output
  await sleep(REST_MS, undefined, { signal })
  return reading(server, context)
}

/** @returns the number of answered requests */
async function load(
  { engine, hey, concurrency, signal }: CheckContext,
  { url }: Server,
  workload: Workload,
  seconds: number,
): Promise<number> {
  const args = heyArguments(url, { workload, load: { name: 'check', concurrency } }, seconds)
  const { statuses } = await startHey(hey, args, engine.loadCpus, signal).output
  await sleep(REST_MS, undefined, { signal })
  return statuses.length
}

/** In bytes. In a container the whole memory also counts files that were read and written, so it is not used there. */
async function reading(server: Server, { engine }: CheckContext): Promise<Reading> {
  const [worker] = z.object({ workers: z.array(memory).length(1) }).parse(await server.eachWorker('/_bench/memory')).workers
  const outside = engine.name === 'host' ? (await server.usage()).memoryKib * 1024 - (worker as z.output<typeof memory>).mapped : 0
  return { ...(worker as z.output<typeof memory>), outside }
}
