/** What every engine can do: host processes today, containers later. */
import type { Usage } from '../processes.ts'
import type { Arm } from '../types.ts'

export interface Engine {
  readonly name: string
  /** Whether the app and the built-in workloads have a database. */
  readonly hasDatabase: boolean
  /** Installs the app's packages and makes its databases, for every revision. */
  prepare(): Promise<void>
  /** Starts one arm afresh: database restored, servers new, answering with this run's nonce. */
  start(arm: Arm): Promise<Server>
  /** The database server's counters of statements, by lower-case verb. */
  statementCounts(): Promise<Record<string, number>>
  /** What run.json records: versions, database settings, app settings. */
  facts(): Record<string, unknown>
  /** Ends everything. Safe to call more than once. */
  close(): Promise<void>
}

/** A running arm. */
export interface Server {
  /** `http://host:port`, without a slash at the end. */
  readonly url: string
  /** CPU and memory of web server and PHP; database and load apart. */
  usage(withMemory: boolean): Usage
  /** Why the server is no longer what was started, or undefined: a process ended or was replaced since `pids`. */
  changedSince(pids: readonly number[]): string | undefined
  /** The server's own counters, where its runtime has such a path. */
  status(): Promise<Record<string, unknown> | undefined>
  /** The end of the server's log. */
  logTail(): string
  /** Files that workloads wrote in this run are removed with it. */
  stop(): Promise<void>
}
