/** The result of a measurement: its samples and its notes. */
import type { Failure } from './failure.ts'
import type { Sample } from './samples.ts'

/** What is known of a run beyond its line in samples.csv. */
export interface RunNote {
  job: string
  block: number
  position: number
  workload: string
  load: string
  revision: string
  mode: string
  attempt: number
  /** Errors by kind, over the whole run. */
  errors: Record<string, number>
  /** Goodput x mean latency / concurrency: 1 in a closed loop. */
  little: number | null
  /** CPUs that the relay of `latency` used in the window. */
  relay_cpus?: number | undefined
  /** Whether the machine was idle before the run. */
  idle: boolean
  /** Share of the machine's CPU time that a hypervisor gave to others meanwhile, with the runs that took turns with it. */
  stolen: number
  /** The server's own counters after it. */
  status?: Record<string, unknown> | undefined
  failure?: Failure | undefined
}

export interface Measured {
  /** The look that the blocks so far lead to, from 1. */
  look: number
  samples: Sample[]
  notes: RunNote[]
  probesMs: number[]
  /** Quads that were run again, and why. */
  reruns: { block: number; cell: string; attempt: number; why: string }[]
}
