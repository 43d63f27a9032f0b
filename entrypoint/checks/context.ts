/** The context of every check, with its time limit. */
import type { Mode, Revision } from '../config/experiment.ts'
import type { Workload } from '../config/workload.ts'
import type { Engine, Server } from '../engines/engine.ts'
import type { Finding } from './finding.ts'

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

/** Runs work on a fresh server with a single worker. */
export async function withServer<T>(context: CheckContext, revision: Revision, work: (server: Server) => Promise<T>): Promise<T> {
  context.signal.throwIfAborted()
  await context.engine.restore(revision)
  return withFresh(context, revision, work)
}

/** The same, without restoring the databases. */
export async function withFresh<T>({ engine, mode }: CheckContext, revision: Revision, work: (server: Server) => Promise<T>): Promise<T> {
  const server = await engine.start({ revision, mode }, 'check')
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}
