/** The interface of an engine, which serves arms as processes of the host or as containers. */
import type { Arm, Revision } from '../config/experiment.ts'
import type { Rules, Served } from '../config/rules.ts'
import type { Checkout } from '../revisions/work-trees.ts'
import type { Cache } from '../system/cache.ts'
import type { Finished } from '../system/exec.ts'
import type { Machine } from '../system/machine.ts'

/**
 * In preflight an app's standard error is read. In a measured run it is discarded, so that it costs nothing. A profile samples the
 * workers. A check watches a single PHP worker, because with several chance would decide which one answers. A reload needs two workers:
 * one serves while the other is replaced. So does recycling, where the server replaces each after a number of requests.
 */
export type Purpose = 'preflight' | 'measurement' | 'profile' | 'check' | 'reload' | 'recycle'

/** The tool that counts instructions: perf, which reads the processor's counter, or Valgrind's callgrind. */
export type Counter = 'perf' | 'valgrind'

/** Sidecars, which are our processes beside the app: the relay of `latency`, and the slow upstream of built-in workloads. */
export type SidecarName = 'relay' | 'upstream'

/** What a sidecar did, since its start or between two readings. */
export interface SidecarUse {
  /** CPU time in microseconds. */
  cpuUs: number
  /** Answers by how late they left: the upper end of each class in microseconds, and the number of its answers. */
  late: Record<string, number>
}

/** The use of each sidecar of the job. */
export type SidecarUses = Partial<Record<SidecarName, SidecarUse>>

/** The options of every engine. */
export interface EngineOptions {
  rules: Rules
  /** What each revision serves. */
  served: Partial<Record<Revision, Served>>
  checkouts: Partial<Record<Revision, Checkout>>
  /** The private directory of the job. */
  directory: string
  /** Reports progress, one line at a time. */
  say: (line: string) => void
  /** The cache of Actions. */
  cache?: Cache | undefined
}

export interface Engine {
  readonly name: string
  /** Whether the app and the built-in workloads have a database. */
  readonly hasDatabase: boolean
  /** Whether only this job uses the database server. */
  readonly hasOwnDatabase: boolean
  /** The CPU set of hey, which always runs on this machine. */
  readonly loadCpus: string | undefined
  /** The number of CPUs of the app. */
  readonly appCpus: number
  /** The machine that serves. It exists once prepare() has ended. */
  readonly machine: Machine
  /** Installs the app's packages and creates its databases, for every revision. */
  prepare(): Promise<void>
  /** Restores the databases of a revision to their state after setup. No server of that revision may run. */
  restore(revision: Revision): Promise<void>
  /** Starts new servers for an arm, which answer with this run's nonce. The arms of a quad can run at the same time. */
  start(arm: Arm, purpose: Purpose): Promise<Server>
  /** The tools that can count its servers' instructions, the best first. */
  counters(): Promise<Counter[]>
  /**
   * Starts an arm with a single PHP worker, whose instructions can be counted. With several, chance would decide which one answers.
   *
   * @throws MeasurementError if the arm cannot be counted here
   */
  startCounted(arm: Arm, counter: Counter): Promise<CountedServer>
  /** The database server's counters of statements, by lower-case verb. */
  statementCounts(): Promise<Record<string, number>>
  /** The database server's number of clients, ours included. Undefined if the server is not ours alone. */
  databaseConnections(): Promise<number | undefined>
  /** What each sidecar of the job did since its start. */
  sidecarUses(): Promise<SidecarUses>
  /** @throws MeasurementError if something that every arm needs is gone. Then a failed run says nothing about its arm */
  assertAlive(): Promise<void>
  /** Facts for run.json: versions, database settings, app settings. */
  describe(): Record<string, unknown>
  /** Ends everything. Safe to call more than once. */
  close(): Promise<void>
}

/** CPU time of an arm at one moment. */
export interface Clock {
  /** When it was read, in milliseconds of the wall clock. */
  at: number
  /** CPU time in microseconds, since the arm's start. */
  cpuUs: number
}

/** CPU time and memory of an arm at one moment. */
export interface Usage extends Clock {
  /** In KiB. Shared pages count once. */
  memoryKib: number
}

/** A running arm. */
export interface Server {
  /** `http://host:port`, without a slash at the end. */
  readonly url: string
  /** The server's own processes: those that existed when it became ready, before any request of the app. */
  readonly own: readonly number[]
  /** CPU and memory of the web server, PHP, and what the app starts. Database and load are not included. */
  usage(): Promise<Usage>
  /** Only CPU time, of the processes that the last usage() found. Fast. */
  clock(): Promise<Clock>
  /** The reason if one of its own processes ended or was replaced, else undefined. */
  lost(): Promise<string | undefined>
  /** Each worker's answer to a path of ours, in the form of countersOf(). Undefined for a server by command. */
  eachWorker(path: string): Promise<Record<string, unknown> | undefined>
  /** The server's own counters, if it has any. */
  status(): Promise<Record<string, unknown> | undefined>
  /** The end of the server's log for a message: a few lines, without repetitions. */
  logTail(): Promise<string>
  /** The last lines of the log, unchanged, for a file. */
  log(): Promise<string>
  /** Sends a signal to its main process, as an administrator does. @returns false if the server cannot be sent one */
  signal(name: NodeJS.Signals): Promise<boolean>
  /** Whether any of its processes is left. */
  isRunning(): Promise<boolean>
  /** Stops the server and removes the files that workloads wrote in this run. */
  stop(): Promise<void>
}

/** The result of a command, and its cost for the server. */
export interface CountedCommand extends Finished {
  /** Instructions in user space of the processes that run PHP. */
  instructions: number
}

/** The same by function. */
export interface CountedFunctions extends CountedCommand {
  /** Profiles in callgrind's format, one for each process. */
  dumps: string[]
}

/** A running arm whose instructions can be counted. */
export interface CountedServer extends Server {
  /** @param command the load, on this machine @throws MeasurementError if nothing could be counted */
  countWhile(command: string[]): Promise<CountedCommand>
  /** Only with Valgrind. @throws MeasurementError if nothing could be counted */
  countFunctionsWhile(command: string[]): Promise<CountedFunctions>
}
