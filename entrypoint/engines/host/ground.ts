/** The place of a private database server of the host engine: directory, storage and CPUs. */

export interface Ground {
  /** Private directory of the job, for logs. */
  directory: string
  /** Whether the data fit into memory. */
  inMemory: boolean
  /** That a private server is held to, if any. */
  cpus: string | undefined
}
