/** The experiment in the words of docs/method.md: revision, mode, arm, load, cell. */
import type { Kind, Runtime } from './runtimes.ts'
import type { Workload } from './workload.ts'

export type Revision = 'base' | 'head'

/** A runtime in the experiment, or a command of the user's. */
export type Mode =
  | { name: string; kind: Kind; via: 'runtime'; runtime: Runtime }
  | { name: string; kind: Kind; via: 'command'; command: string; health: string }

export interface Load {
  name: string
  /** Connections that hey keeps open. */
  concurrency: number
}

export interface Cell {
  /** As head defines it. */
  workload: Workload
  /** As base defines it, where that differs: each revision is asked for its own. */
  inBase?: Workload | undefined
  load: Load
}

/** What an arm of a cell is asked for. */
export function workloadFor(cell: Cell, revision: Revision): Workload {
  return (revision === 'base' && cell.inBase) || cell.workload
}

export interface Arm {
  revision: Revision
  mode: Mode
}

/** Whether servers of these modes can run side by side. Those of a user's own command may share a socket or a port that we know nothing of. */
export function areApart(modes: readonly Mode[]): boolean {
  return modes.every(({ via }) => via === 'runtime')
}
