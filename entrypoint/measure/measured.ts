/** The result of a measurement: its samples and its notes. */
import type { Failure } from './failure.ts'
import type { Sample } from './samples.ts'

/** Facts about a run that samples.csv does not have. */
export interface RunNote {
  job: string
  block: number
  position: number
  workload: string
  load: string
  revision: string
  mode: string
  attempt: number
  /** Errors by kind, of the whole run. */
  errors: Record<string, number>
  /** Goodput x mean latency / concurrency. It is 1 in a closed loop. Null at a fixed rate. */
  little: number | null
  /** CPUs that the relay of `latency` used in the window. */
  relay_cpus?: number | undefined
  /** In the window, 99 % of the answers left the relay at most this much later than `latency` says. */
  relay_p99_late_ms?: number | undefined
  /** CPUs that the slow upstream used in the window. */
  upstream_cpus?: number | undefined
  /** The share of the machine's CPU time that anything used in the window. */
  busy?: number | undefined
  /** Whether the machine was idle before the run. */
  idle: boolean
  /** The share of the machine's CPU time that a hypervisor gave to others during this run and the runs that took turns with it. */
  stolen: number
  /** The server's own counters after the run. */
  status?: Record<string, unknown> | undefined
  failure?: Failure | undefined
}

export interface Measured {
  /** The look that follows the blocks so far, from 1. */
  look: number
  samples: Sample[]
  notes: RunNote[]
  probesMs: number[]
  /** Quads that were run again, with the reasons. */
  reruns: { block: number; cell: string; attempt: number; why: string }[]
}
