/** The experiment in the words of docs/method.md: revision, mode, arm, load, cell. */
import type { Kind, Runtime } from './runtimes.ts'
import type { Workload } from './workload.ts'

export type Revision = 'base' | 'head'

/** A runtime, or the user's own command. */
export type Mode =
  | { name: string; kind: Kind; via: 'runtime'; runtime: Runtime }
  | { name: string; kind: Kind; via: 'command'; command: string; health: string }

export interface Load {
  name: string
  /** Connections that hey keeps open. */
  concurrency: number
  /** Requests per second, over all connections. Undefined: each connection asks again once it is answered. */
  rate?: number | undefined
}

export interface Cell {
  /** Head's definition. */
  workload: Workload
  /** Base's definition, if it differs. Each revision is asked for its own. */
  inBase?: Workload | undefined
  load: Load
}

/** The workload that a revision is asked for in a cell. */
export function workloadFor(cell: Cell, revision: Revision): Workload {
  return (revision === 'base' && cell.inBase) || cell.workload
}

export interface Arm {
  revision: Revision
  mode: Mode
}

/** Whether servers of these modes can run at the same time. Users' own commands may share a socket or a port. */
export function areApart(modes: readonly Mode[]): boolean {
  return modes.every(({ via }) => via === 'runtime')
}
