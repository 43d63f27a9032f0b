/** The place of a private database server: directory, storage and CPUs. */

export interface Ground {
  /** The private directory of the job, for logs. */
  directory: string
  /** Whether the data fit into memory. */
  inMemory: boolean
  /** The CPUs of a private server, if it is bound to some. */
  cpus: string | undefined
}
