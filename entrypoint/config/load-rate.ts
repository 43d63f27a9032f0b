/** A load of a fixed rate, `{ rate: 200 }`: who may use it, and how hey is told. Pure. */
import { InputError } from '../system/errors.ts'
import type { Load } from './experiment.ts'

type Loads = Record<string, Omit<Load, 'name'>>

/** Connections for a rate without a concurrency. More of them send requests in larger groups, fewer soon wait for answers. */
export const RATE_CONNECTIONS = 16

/**
 * A gate compares goodputs. Below the limit of both modes a fixed rate makes them equal, whatever head does.
 *
 * @param place where the configuration names them, for the message
 * @throws InputError: gates have no rates
 */
export function refuseRates({ loads }: { loads: Loads }, place: string): void {
  const [name, load] = Object.entries(loads).find(([, { rate }]) => rate !== undefined) ?? []
  if (load)
    throw new InputError(
      `${place}loads.${name}: found rate: ${load.rate}, allowed: a concurrency. A gate compares goodputs, and a fixed rate makes them equal. \`study\` takes rates`,
    )
}

/** Seconds between two requests of one connection: hey limits the rate of each. Undefined without a rate. */
export function intervalOf({ rate, concurrency }: Omit<Load, 'name'>): number | undefined {
  return rate === undefined ? undefined : concurrency / rate
}
