/** Names given outside the file refer to the modes and workloads that the file defines under these names. Pure. */
import { nameOf } from './workload-schema.ts'

/** Keys that take a list of names outside the file. */
export const NAMED = ['modes', 'workloads'] as const
export type Named = (typeof NAMED)[number]

/** @param defined the list of the file, not validated yet @returns -1 if the file does not define the name */
export function indexOfDefined(name: unknown, defined: unknown): number {
  return entries(defined).findIndex((entry) => nameIn(entry) === name)
}

/** The names that a list of the file defines, in any form. */
export function namesIn(defined: unknown): string[] {
  return entries(defined).flatMap((entry) => nameIn(entry) ?? [])
}

function entries(defined: unknown): unknown[] {
  return Array.isArray(defined) ? defined : []
}

/** Undefined for a built-in one, because the file does not define its name. */
function nameIn(entry: unknown): string | undefined {
  if (typeof entry === 'string') return entry.startsWith('/') ? nameOf(entry) : undefined
  const name = entry instanceof Object && 'name' in entry ? entry.name : undefined
  return typeof name === 'string' ? name : undefined
}
