/** `loads: search`, with which a study finds its loads itself. Pure. */
import { InputError } from '../system/errors.ts'

type Loads = Record<string, { concurrency: number }>

/** Stands for the loads that are not known yet. No load can be named so. */
const UNKNOWN = '*'

/** What `search` is read as; the concurrency is that of nothing. */
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
