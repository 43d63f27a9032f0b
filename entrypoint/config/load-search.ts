/** Reads `loads: search`, which lets a study find its loads. Pure. */
import { InputError } from '../system/errors.ts'
import type { Load } from './experiment.ts'

type Loads = Record<string, Omit<Load, 'name'>>

/** Stands for the unknown loads. No load can have this name. */
const UNKNOWN = '*'

/** The parsed form of `search`. Its concurrency is never used. */
export const SEARCH: Loads = { [UNKNOWN]: { concurrency: 1 } }

export function isSearched({ loads }: { loads: Loads }): boolean {
  return UNKNOWN in loads
}

/** @param place where the configuration names them, for the message @throws InputError: gates do not search */
export function refuseSearch(config: { loads: Loads }, place: string): void {
  if (isSearched(config))
    throw new InputError(
      `${place}loads: found search, allowed: load levels by name. \`study\` searches, and writes what it found to loads.yml, to be put here`,
    )
}
