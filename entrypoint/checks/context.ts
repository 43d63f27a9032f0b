/** The context of every check, with its time limit. */
import { z } from 'zod'
import type { Mode, Revision } from '../config/experiment.ts'
import type { Workload } from '../config/workload.ts'
import type { Engine, Purpose, Server } from '../engines/engine.ts'
import { type Finding, type Found, owed, placed } from './finding.ts'

export interface CheckContext {
  engine: Engine
  /** The path of the program. */
  hey: string
  rscript: string
  /** The mode under test. */
  mode: Mode
  /** Base first, if there is one. */
  revisions: readonly Revision[]
  /** The app's own routes in a revision. */
  routesOf: (revision: Revision) => readonly Workload[]
  /** The number of simultaneous requests: the highest load that the mode serves. */
  concurrency: number
  /** The number of app instances, and of connections that the mode should serve at a time. */
  connections: number
  /** The number of requests after which a worker is replaced, with the purpose `recycle`. */
  recycleAfter: number
  /** In milliseconds of the wall clock. Later checks are not begun. */
  deadline: number
  signal: AbortSignal
}

/** Returns findings without the fields that only a comparison can fill. */
export type Check = (context: CheckContext) => Promise<Omit<Finding, 'check' | 'mode' | 'isNew'>[]>

export const TIME_IS_OVER = 'the time for checks was over'

export function isOver({ deadline }: Pick<CheckContext, 'deadline'>): boolean {
  return Date.now() >= deadline
}

/** Runs work on a fresh server, with a single worker unless the purpose is another. */
export async function withServer<T>(
  context: CheckContext,
  revision: Revision,
  work: (server: Server) => Promise<T>,
  purpose: Purpose = 'check',
): Promise<T> {
  context.signal.throwIfAborted()
  await context.engine.restore(revision)
  return withFresh(context, revision, work, purpose)
}

/** The same, without restoring the databases. */
export async function withFresh<T>(
  { engine, mode }: CheckContext,
  revision: Revision,
  work: (server: Server) => Promise<T>,
  purpose: Purpose = 'check',
): Promise<T> {
  const server = await engine.start({ revision, mode }, purpose)
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

/** Checks each route of each revision in turn, as long as there is time. */
export async function eachRoute(context: CheckContext, check: (revision: Revision, route: Workload) => Promise<Found>): ReturnType<Check> {
  const found = []
  for (const revision of context.revisions) {
    for (const route of context.routesOf(revision)) {
      const ofRoute = isOver(context) ? owed(TIME_IS_OVER) : await check(revision, route)
      found.push({ revision, ...placed(route), ...ofRoute })
    }
  }
  return found
}

/** The server's PHP processes on this machine. None in a container. */
export async function workersOf({ engine }: Pick<CheckContext, 'engine'>, server: Server): Promise<number[]> {
  if (engine.name !== 'host') return []
  const told = z.object({ workers: z.array(z.object({ pid: z.number() })) }).parse(await server.eachWorker('/_bench/counters'))
  return told.workers.map(({ pid }) => pid)
}
