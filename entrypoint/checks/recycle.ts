/** Recycle: checks whether replacing a worker after a number of requests loses a request that the app has begun. */
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Revision } from '../config/experiment.ts'
import { countOf } from '../system/count-of.ts'
import { type Check, type CheckContext, isOver, TIME_IS_OVER, withServer, workersOf } from './context.ts'
import { type Found, notChecked, owed } from './finding.ts'
import { begunIn, firstFailure, forced, named, p99Of, type Visit, Visits } from './visits.ts'

/** The most simultaneous requests, as in the check of reloads. */
const CONNECTIONS = 8
/** The first clients of the new workers come in this time. */
const AFTER_MS = 500
const EVERY_MS = 10
/** Longer, and the log no longer holds every request. */
const LONGEST_MS = 20_000
/** So many times its number of requests, on average, and a worker should have been replaced. The servers add up to a half by chance. */
const OVERDUE = 3

export const recycle: Check = async (context) => {
  const found = []
  for (const revision of context.revisions) {
    const of = isOver(context) ? owed(TIME_IS_OVER) : await recycled(context, revision)
    found.push({ revision, workload: null, route: null, ...of })
  }
  return found
}

/** A server under load that replaces its workers. */
export interface Recycled {
  visits: readonly Visit[]
  /** The number of requests after which a worker is replaced. */
  after: number
  /** The number of workers at the start, and of those that still run at the end. */
  workers: number
  left: number
  tookMs: number
  log: string
}

async function recycled(context: CheckContext, revision: Revision): Promise<Found> {
  const { engine, mode, recycleAfter } = context
  if (engine.name !== 'host') return notChecked('in a container its workers cannot be watched')
  if (mode.via !== 'runtime' || !mode.runtime.recycles)
    return notChecked(`${mode.name} does not replace workers after a number of requests`)
  return withServer(
    context,
    revision,
    async (server) => {
      const routes = context.routesOf(revision)
      const failure = await firstFailure(server.url, routes)
      if (failure) return owed(`before any worker was replaced, ${failure}`)
      const workers = await workersOf(context, server)
      const leftOf = (): number => workers.filter((pid) => existsSync(`/proc/${pid}`)).length
      const begun = Date.now()
      const visits = new Visits(server.url, routes, Math.min(CONNECTIONS, context.concurrency))
      try {
        while (leftOf() > 0 && !isOver(context) && Date.now() < begun + LONGEST_MS) await sleep(EVERY_MS)
        const [left, tookMs] = [leftOf(), Date.now() - begun]
        await sleep(AFTER_MS)
        await visits.stop()
        return judged({ visits: visits.all, after: recycleAfter, workers: workers.length, left, tookMs, log: await server.log() })
      } finally {
        await visits.stop()
      }
    },
    'recycle',
  )
}

/** As in the check of reloads, the app cannot save what the server had not handed to it. Pure. */
export function judged({ visits, after, workers, left, tookMs, log }: Recycled): Found {
  const begun = begunIn(log)
  const failed = visits.filter(({ failure }) => failure !== undefined)
  const lost = failed.filter(({ id }) => begun.has(id))
  const byForce = forced(log, visits, begun)
  const seconds = (tookMs / 1000).toFixed(1)
  const isOverdue = left > 0 && visits.length >= OVERDUE * after * workers
  const broken = [
    ...(lost[0]
      ? [
          `when a worker is replaced, ${countOf(lost.length, 'request')} that the app had begun got no answer or an error (${named(lost[0])})`,
        ]
      : []),
    ...(isOverdue
      ? [`${countOf(left, 'worker')} of ${workers} still run after ${visits.length} requests, and should be replaced after ${after} each`]
      : []),
    ...byForce.broken,
  ]
  if (broken.length > 0) return { state: 'broken', sentence: broken.join('; ') }
  if (left > 0) return owed(`${visits.length} requests in ${seconds} s are too few to replace every worker: lower recycle-after (${after})`)
  const answered = countOf(visits.length - failed.length, 'request')
  const told = `${countOf(workers, 'worker')} replaced after ${after} requests or more each, within ${seconds} s`
  const unread = `${failed.length} lost that the app had not begun`
  return {
    state: 'held',
    sentence: [`${told}; ${answered} answered, ${unread}, p99 ${p99Of(visits)} ms`, byForce.told].filter(Boolean).join('; '),
  }
}
