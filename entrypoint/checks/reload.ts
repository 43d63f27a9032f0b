/** Reload: checks whether replacing the workers, or ending the server, loses a request that the app has begun. */
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Revision } from '../config/experiment.ts'
import type { Server } from '../engines/engine.ts'
import { countOf } from '../system/count-of.ts'
import { type Check, type CheckContext, isOver, TIME_IS_OVER, withServer, workersOf } from './context.ts'
import { type Found, notChecked, owed } from './finding.ts'
import { begunIn, firstFailure, forced, isForced, named, p99Of, type Visit, Visits } from './visits.ts'

/** The most simultaneous requests. More would hide how long each takes. */
const CONNECTIONS = 8
const BEFORE_MS = 500
const AFTER_MS = 500
/** New workers may take this long to get their first clients. */
const SETTLED_MS = 250
const EVERY_MS = 5
/** Swoole kills a worker after 3 seconds. `docker stop` kills after 10. */
const LIMITS_MS = { replaced: 6000, ended: 10_000 }

export const reload: Check = async (context) => {
  const found = []
  for (const revision of context.revisions) {
    const of = isOver(context) ? owed(TIME_IS_OVER) : await signalled(context, revision)
    found.push({ revision, workload: null, route: null, ...of })
  }
  return found
}

/** A signal under load, and its effect. */
export interface Signalled {
  signal: NodeJS.Signals
  /** In milliseconds of the wall clock. */
  at: number
  /** Milliseconds until all workers were replaced or gone. Undefined if that did not happen. */
  tookMs?: number
}

/** A server's end. */
export interface Seen {
  visits: readonly Visit[]
  /** The reload, or the reason why there is none. */
  reload: Signalled | string
  end: Signalled
  /** Whether the server answers the requests in progress before it ends. */
  drains: boolean
  log: string
}

async function signalled(context: CheckContext, revision: Revision): Promise<Found> {
  if (context.engine.name !== 'host') return notChecked("in a container the main process is Docker's own, which would get the signal")
  const { found, isExcused } = await underLoad(context, revision)
  if (!isExcused || !isForced(await logWithoutLoad(context, revision))) return found
  return { state: 'broken', sentence: 'its log says "forced termination" even if no request is in progress' }
}

/** Here only the app can keep a worker busy, such as by a timer. Under load, waiting requests may do so, too. */
async function logWithoutLoad(context: CheckContext, revision: Revision): Promise<string> {
  return withServer(
    context,
    revision,
    async (server) => {
      await firstFailure(server.url, context.routesOf(revision))
      await send(server, 'SIGTERM', LIMITS_MS.ended, async () => !(await server.isRunning()))
      return server.log()
    },
    'reload',
  )
}

/** @returns isExcused: a worker was ended by force, and waiting requests may be why */
async function underLoad(context: CheckContext, revision: Revision): Promise<{ found: Found; isExcused: boolean }> {
  return withServer(
    context,
    revision,
    async (server) => {
      // Under load all instances may be taken, and the server then does not answer.
      const workers = await workersOf(context, server)
      const visits = new Visits(server.url, context.routesOf(revision), Math.min(CONNECTIONS, context.concurrency))
      try {
        await sleep(BEFORE_MS)
        const failed = visits.all.find(({ failure }) => failure !== undefined)
        if (failed) return { found: owed(`before any signal, ${failed.route} fails: ${failed.failure}`), isExcused: false }
        const reloaded = await reloadOf(context, server, workers)
        const end = await send(server, 'SIGTERM', LIMITS_MS.ended, async () => !(await server.isRunning()))
        await visits.stop()
        const drains = context.mode.via === 'runtime' && context.mode.runtime.drains
        const log = await server.log()
        const found = judged({ visits: visits.all, reload: reloaded, end, drains, log })
        return { found, isExcused: found.state === 'held' && isForced(log) }
      } finally {
        await visits.stop()
      }
    },
    'reload',
  )
}

async function reloadOf({ mode }: CheckContext, server: Server, workers: readonly number[]): Promise<Signalled | string> {
  const signal = mode.via === 'runtime' ? mode.runtime.reload : undefined
  if (signal === undefined) return `${mode.name} has no signal for it`
  const done = await send(server, signal, LIMITS_MS.replaced, async () => workers.every((pid) => !existsSync(`/proc/${pid}`)))
  await sleep(AFTER_MS)
  return done
}

async function send(server: Server, signal: NodeJS.Signals, limitMs: number, isDone: () => Promise<boolean>): Promise<Signalled> {
  const at = Date.now()
  await server.signal(signal)
  while (Date.now() < at + limitMs) {
    if (await isDone()) return { signal, at, tookMs: Date.now() - at }
    await sleep(EVERY_MS)
  }
  return { signal, at }
}

/**
 * The app cannot save a request that the server had not handed to it. Nor can it save one that the server drops at its end.
 * Such losses are counted, and break nothing. Pure.
 */
export function judged(seen: Seen): Found {
  const { visits, end, drains, log } = seen
  const begun = begunIn(log)
  const reload = typeof seen.reload === 'string' ? undefined : seen.reload
  const before = visits.filter(({ endedAt }) => endedAt < (reload ?? end).at)
  const parts = [
    ...(reload
      ? [
          partOf(reload, visits, begun, {
            until: end.at,
            done: 'workers replaced',
            late: 'its old workers still run',
            limitMs: LIMITS_MS.replaced,
            answers: true,
          }),
        ]
      : []),
    partOf(end, visits, begun, { done: 'ended', late: 'it still runs', limitMs: LIMITS_MS.ended, answers: drains }),
  ]
  parts.push(forced(log, visits, begun))
  const broken = parts.flatMap((part) => part.broken)
  if (broken.length > 0) return { state: 'broken', sentence: broken.join('; ') }
  const told = parts.flatMap((part) => part.told || []).join('; ')
  const usual = reload ? ` (before: p99 ${p99Of(before)} ms)` : ''
  return { state: 'held', sentence: `${told}${usual}${typeof seen.reload === 'string' ? `; a reload is not checked: ${seen.reload}` : ''}` }
}

interface Expected {
  /** Milliseconds of the wall clock, if the server goes on. */
  until?: number
  done: string
  late: string
  limitMs: number
  /** Whether the server answers what is in progress. */
  answers: boolean
}

function partOf(
  { signal, at, tookMs }: Signalled,
  visits: readonly Visit[],
  begun: ReadonlySet<number>,
  { until = Number.POSITIVE_INFINITY, done, late, limitMs, answers }: Expected,
): { broken: string[]; told: string } {
  const meanwhile = visits.filter(({ sentAt, endedAt }) => endedAt >= at && sentAt < until)
  if (tookMs === undefined) return { broken: [`${limitMs / 1000} s after ${signal} ${late}`], told: '' }
  const lost = meanwhile.filter(({ failure, sentAt }) => failure !== undefined && sentAt < at + tookMs)
  const begunLost = lost.filter(({ id }) => begun.has(id))
  const owned = begunLost.filter(({ failure }) => answers || failure?.startsWith('status '))
  // A request that ends later belongs to the next signal.
  const later = Number.isFinite(until)
    ? meanwhile.filter(({ sentAt, endedAt }) => sentAt > at + tookMs + SETTLED_MS && endedAt < until)
    : []
  const failing = later.filter(({ failure }) => failure !== undefined)
  const broken = [
    ...(owned[0] ? [`at ${signal} ${countOf(owned.length, 'request')} that the app had begun got no answer (${named(owned[0])})`] : []),
    ...(failing[0] ? [`after ${signal} ${failing.length} of ${countOf(later.length, 'request')} fail (${named(failing[0])})`] : []),
  ]
  const answered = meanwhile.filter(({ id, sentAt, failure }) => sentAt < at && begun.has(id) && failure === undefined).length
  const unread = lost.filter(({ id, failure }) => !begun.has(id) && failure !== 'refused').length
  const dropped = begunLost.length > 0 ? `, ${begunLost.length} in progress dropped by this server, whatever the app does` : ''
  const p99 = !Number.isFinite(until) ? '' : `, p99 ${p99Of(meanwhile)} ms`
  return {
    broken,
    told: `${signal}: ${done} after ${tookMs} ms, ${countOf(answered, 'request')} in progress answered, ${unread} lost that the app had not begun${dropped}${p99}`,
  }
}
