/** What every check gets, and the time that it may take. */
import type { Mode, Revision } from '../config/experiment.ts'
import type { Workload } from '../config/workload.ts'
import type { Engine, Server } from '../engines/engine.ts'
import type { Finding } from './finding.ts'

export interface CheckContext {
  engine: Engine
  /** Path of the program. */
  hey: string
  rscript: string
  /** The mode under test. */
  mode: Mode
  /** Base first, if there is one. */
  revisions: readonly Revision[]
  /** The app's own routes in a revision. */
  routesOf: (revision: Revision) => readonly Workload[]
  /** Requests at a time: the highest load, as far as the mode serves them. */
  concurrency: number
  /** Milliseconds on the wall clock: what has not begun by then is not checked. */
  deadline: number
  signal: AbortSignal
}

/** Findings without what only their comparison tells. */
export type Check = (context: CheckContext) => Promise<Omit<Finding, 'check' | 'mode' | 'isNew'>[]>

export const TIME_IS_OVER = 'the time for checks was over'

export function isOver({ deadline }: Pick<CheckContext, 'deadline'>): boolean {
  return Date.now() >= deadline
}

/** One fresh server with a single worker. */
export async function withServer<T>(context: CheckContext, revision: Revision, work: (server: Server) => Promise<T>): Promise<T> {
  context.signal.throwIfAborted()
  await context.engine.restore(revision)
  return withFresh(context, revision, work)
}

/** The same over databases as they are now. */
export async function withFresh<T>({ engine, mode }: CheckContext, revision: Revision, work: (server: Server) => Promise<T>): Promise<T> {
  const server = await engine.start({ revision, mode }, 'check')
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}
