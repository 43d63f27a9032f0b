/** Private Redis servers, one per revision: arms of base and head run at the same time and must not see each other's keys. */
import type { Revision } from '../../config/experiment.ts'

/** The address of a server. */
export interface Address {
  host: string
  port: number
}

export interface Redis {
  readonly description: Record<string, unknown>
  /** The server of a revision, as the app reaches it. */
  reached(revision: Revision): Address
  /** Removes every key of every database of a revision. @throws MeasurementError if its server is gone */
  empty(revision: Revision): Promise<void>
  /** @throws MeasurementError if a server is gone */
  assertAlive(): Promise<void>
  stop(): Promise<void>
}

/** Settings of each server, which writes nothing to the disk. The report names them. */
export const REDIS_SETTINGS = { save: '', appendonly: 'no' } as const

/** The settings as arguments of the server. */
export const REDIS_OPTIONS: readonly string[] = Object.entries(REDIS_SETTINGS).flatMap(([key, value]) => [`--${key}`, value])
