/** The interface of an engine, which serves arms as processes of the host or as containers. */

import type { Arm, Revision } from '../config/experiment.ts'
import type { Finished } from '../system/exec.ts'
import type { Machine } from '../system/machine.ts'

/**
 * Preflight wants to read what an app says on its standard error; in a measured run nobody does, so nothing is spent on it. A profile
 * samples what the workers compute. A check watches a single PHP worker: which of several answers would be chance.
 */
export type Purpose = 'preflight' | 'measurement' | 'profile' | 'check'

/** What counts instructions: the processor's own counter, read by perf, or Valgrind's callgrind. */
export type Counter = 'perf' | 'valgrind'

export interface Engine {
  readonly name: string
  /** Whether the app and the built-in workloads have a database. */
  readonly hasDatabase: boolean
  /** Whether nobody else uses the database server. */
  readonly hasOwnDatabase: boolean
  /** The CPU set of hey, which always runs here. */
  readonly loadCpus: string | undefined
  /** CPUs that the app gets. */
  readonly appCpus: number
  /** The machine that serves. There once prepare() is done. */
  readonly machine: Machine
  /** Installs the app's packages and makes its databases, for every revision. */
  prepare(): Promise<void>
  /** Brings the databases of a revision back to what its setup left. No server of that revision may run. */
  restore(revision: Revision): Promise<void>
  /** Starts one arm afresh: servers new, answering with this run's nonce. The arms of a quad can run side by side. */
  start(arm: Arm, purpose: Purpose): Promise<Server>
  /** What can count the instructions of its servers, the best first. */
  counters(): Promise<Counter[]>
  /**
   * Starts one arm afresh with a single PHP worker, whose instructions can be counted: which worker answers is then no chance.
   *
   * @throws MeasurementError if the arm cannot be counted here
   */
  startCounted(arm: Arm, counter: Counter): Promise<CountedServer>
  /** The database server's counters of statements, by lower-case verb. */
  statementCounts(): Promise<Record<string, number>>
  /** CPU time of the relay of `latency` in microseconds, since it was started; undefined where there is none. */
  relayCpuUs(): Promise<number | undefined>
  /** @throws MeasurementError if what every arm needs is gone, so that a failed run says nothing about its arm */
  assertAlive(): Promise<void>
  /** What run.json records: versions, database settings, app settings. */
  describe(): Record<string, unknown>
  /** Ends everything. Safe to call more than once. */
  close(): Promise<void>
}

/** CPU time of an arm at one moment. */
export interface Clock {
  /** When it was read, in milliseconds on the wall clock. */
  at: number
  /** CPU time in microseconds, since the arm was started. */
  cpuUs: number
}

/** CPU time and memory of an arm at one moment. */
export interface Usage extends Clock {
  /** KiB. Shared pages count once. */
  memoryKib: number
}

/** A running arm. */
export interface Server {
  /** `http://host:port`, without a slash at the end. */
  readonly url: string
  /** The server's own processes: those that were there when it became ready, before any request of the app. */
  readonly own: readonly number[]
  /** CPU and memory of web server and PHP and of what the app starts; database and load apart. */
  usage(): Promise<Usage>
  /** CPU time alone, of the processes of the last usage(): quick. */
  clock(): Promise<Clock>
  /** Why the server is no longer what was started, or undefined: one of its own processes ended or was replaced. */
  lost(): Promise<string | undefined>
  /** What each worker answers to a path of ours, as countersOf() has it; undefined for a server by command. */
  eachWorker(path: string): Promise<Record<string, unknown> | undefined>
  /** The server's own counters, if there are some. */
  status(): Promise<Record<string, unknown> | undefined>
  /** The end of the server's log, for a message: a few lines, each kind once. */
  logTail(): Promise<string>
  /** The last of the log as it is, for a file. */
  log(): Promise<string>
  /** Files that workloads wrote in this run are removed with it. */
  stop(): Promise<void>
}

/** What a command left, and what it cost the server. */
export interface CountedCommand extends Finished {
  /** Of user space, in the processes that run PHP. */
  instructions: number
}

/** A running arm whose instructions can be counted. */
export interface CountedServer extends Server {
  /** @param command of this machine: the load @throws MeasurementError if nothing could be counted */
  countWhile(command: string[]): Promise<CountedCommand>
}
