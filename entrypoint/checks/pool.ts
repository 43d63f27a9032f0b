/** Pool: checks whether the app survives four times as many connections as it has instances, and recovers. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Revision } from '../config/experiment.ts'
import type { Workload } from '../config/workload.ts'
import type { Server } from '../engines/engine.ts'
import { type HeyOutput, heyArguments, startHey } from '../measure/hey.ts'
import { countOf } from '../system/count-of.ts'
import { type Check, type CheckContext, eachRoute, withServer } from './context.ts'
import { type Found, owed } from './finding.ts'

const TIMES = 4
/** Seconds of load: usual, with too many connections, and usual again. */
const WINDOWS_S = [0.5, 1.2, 0.5] as const
const REST_MS = 200
/** The interval at which the connections of the database are counted. */
const EVERY_MS = 20
/** A number of connections counts if it was read this often. One reading may include a connection that was just closed. */
const LASTING = 3
/** The smallest rate afterwards, relative to before. A busy machine may slow it down. */
const RECOVERED = 0.25
/**
 * Connections at the database that grow by both have no limit. Usual load may leave places in a worker's pool free: with two workers,
 * twice the usual number can still be within the pools.
 */
const GROWN = { times: 2.5, more: 4 }

export const pool: Check = (context) => eachRoute(context, (revision, route) => check(context, revision, route))

/** One window of load. */
export interface Window {
  seconds: number
  answered: number
  /** By kind: a status, or hey's name for an error. */
  failed: Record<string, number>
  /** The most connections of the app at the database. Undefined if they cannot be counted. */
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
  const readings: number[] = []
  while (idle !== undefined && !isDone) {
    readings.push(((await engine.databaseConnections()) ?? 0) - idle)
    await sleep(EVERY_MS)
  }
  return { seconds, ...countedIn(await output), ...(idle === undefined ? {} : { databasePeak: lastingPeak(readings) }) }
}

/** The highest number that was there in LASTING readings. A server still counts a connection that was closed a moment ago. */
export function lastingPeak(readings: readonly number[]): number {
  const highest = [...readings].sort((a, b) => b - a)
  return Math.max(0, highest[Math.min(LASTING, highest.length) - 1] ?? 0)
}

/** A status below 500 is an answer, because the app may refuse a request. */
export function countedIn({ statuses, errors }: Pick<HeyOutput, 'statuses' | 'errors'>): Pick<Window, 'answered' | 'failed'> {
  const failed = { ...errors }
  for (const status of statuses) if (status >= 500) failed[`status ${status}`] = (failed[`status ${status}`] ?? 0) + 1
  return { answered: statuses.filter((status) => status < 500).length, failed }
}

/** Judges the windows: usual, with too many connections, and usual again. Pure. */
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
  const database = most === undefined ? '' : `, at most ${countOf(most, 'connection')} at the database`
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
