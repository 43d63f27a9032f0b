/** Pool: what four times as many connections as there are instances of the app do to it, and whether it recovers. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Revision } from '../config/experiment.ts'
import type { Workload } from '../config/workload.ts'
import type { Server } from '../engines/engine.ts'
import { type HeyOutput, heyArguments, startHey } from '../measure/hey.ts'
import { type Check, type CheckContext, isOver, TIME_IS_OVER, withServer } from './context.ts'
import { type Found, owed, placed } from './finding.ts'

const TIMES = 4
/** Seconds of load: as usual, with too many connections, and as usual again. */
const WINDOWS_S = [0.5, 1.2, 0.5] as const
const REST_MS = 200
/** Connections of the database are counted so often. */
const EVERY_MS = 20
/** Afterwards it is as quick as before, apart from what a busy machine does. */
const RECOVERED = 0.25
/**
 * Connections of a database that grow like the clients have no limit: so many times, and so many more. As usual, clients may leave places
 * of a worker's pool free that they take later: with two workers, twice as many are within the limit.
 */
const GROWN = { times: 2.5, more: 4 }

export const pool: Check = async (context) => {
  const found = []
  for (const revision of context.revisions) {
    for (const route of context.routesOf(revision)) {
      const ofRoute = isOver(context) ? owed(TIME_IS_OVER) : await check(context, revision, route)
      found.push({ revision, ...placed(route), ...ofRoute })
    }
  }
  return found
}

/** One window of load. */
export interface Window {
  seconds: number
  answered: number
  /** By kind: a status, or what hey calls it. */
  failed: Record<string, number>
  /** The most connections of the app at the database; none if nobody could count them. */
  databasePeak?: number
}

async function check(context: CheckContext, revision: Revision, route: Workload): Promise<Found> {
  const { connections, engine } = context
  const idle = await engine.databaseConnections()
  return withServer(
    context,
    revision,
    async (server) => {
      const windows: Window[] = []
      for (const [i, seconds] of WINDOWS_S.entries()) {
        const window = await load(context, server, route, { connections: i === 1 ? TIMES * connections : connections, seconds, idle })
        windows.push(window)
        await sleep(REST_MS)
      }
      return crowded(windows as [Window, Window, Window], connections)
    },
    'measurement',
  )
}

async function load(
  { hey, engine, signal }: CheckContext,
  server: Server,
  workload: Workload,
  { connections, seconds, idle }: { connections: number; seconds: number; idle: number | undefined },
): Promise<Window> {
  const args = heyArguments(server.url, { workload, load: { name: 'check', concurrency: connections } }, seconds)
  let isDone = false
  const output = startHey(hey, args, engine.loadCpus, signal).output.finally(() => {
    isDone = true
  })
  // Awaited below.
  output.catch(() => {})
  let peak = 0
  while (idle !== undefined && !isDone) {
    peak = Math.max(peak, ((await engine.databaseConnections()) ?? 0) - idle)
    await sleep(EVERY_MS)
  }
  return { seconds, ...countedIn(await output), ...(idle === undefined ? {} : { databasePeak: peak }) }
}

/** A status below 500 is an answer: the app may refuse a request as it likes. */
export function countedIn({ statuses, errors }: Pick<HeyOutput, 'statuses' | 'errors'>): Pick<Window, 'answered' | 'failed'> {
  const failed = { ...errors }
  for (const status of statuses) if (status >= 500) failed[`status ${status}`] = (failed[`status ${status}`] ?? 0) + 1
  return { answered: statuses.filter((status) => status < 500).length, failed }
}

/** @param windows as usual, with too many connections, as usual again. Pure. */
export function crowded([before, during, after]: readonly [Window, Window, Window], connections: number): Found {
  if (before.answered === 0 || total(before) > 0) {
    return owed(`with ${connections} connections, as many as it has instances, it fails already: ${listed(before)}`)
  }
  const many = TIMES * connections
  const [usual, most] = [before.databasePeak, during.databasePeak]
  const why = [
    ...(total(during) > 0 ? [`with ${many} connections for ${connections} instances ${listed(during)}`] : []),
    ...(usual !== undefined && most !== undefined && most > GROWN.times * usual && most >= usual + GROWN.more
      ? [`with ${many} connections it has ${most} at the database, with ${connections} it had ${usual}`]
      : []),
    ...(total(after) > 0 ? [`afterwards, with ${connections} again, ${listed(after)}`] : []),
    ...(rate(after) < RECOVERED * rate(before)
      ? [`afterwards it answers ${rate(after).toFixed(0)} requests per second, before ${rate(before).toFixed(0)}`]
      : []),
  ]
  if (why.length > 0) return { state: 'broken', sentence: why.join('; ') }
  const database = most === undefined ? '' : `, at most ${most} connections at the database`
  return {
    state: 'held',
    sentence: `${many} connections for ${connections} instances: no errors${database}; it serves as before afterwards`,
  }
}

function rate({ answered, seconds }: Window): number {
  return answered / seconds
}

function total({ failed }: Window): number {
  return Object.values(failed).reduce((sum, count) => sum + count, 0)
}

function listed(window: Window): string {
  if (total(window) === 0) return 'no request was answered'
  const kinds = Object.entries(window.failed).map(([kind, count]) => `${count} ${kind}`)
  return `${total(window)} of ${total(window) + window.answered} requests fail (${kinds.join(', ')})`
}
