/** Names given outside the file refer to the modes and workloads that the file defines under these names. Pure. */
import { nameOf } from './workload-schema.ts'

/** Keys whose list outside the file is one of names. */
export const NAMED = ['modes', 'workloads'] as const
export type Named = (typeof NAMED)[number]

/** @param defined the list of the file, not validated yet @returns -1 where the file defines nothing under the name */
export function indexOfDefined(name: unknown, defined: unknown): number {
  return entries(defined).findIndex((entry) => nameIn(entry) === name)
}

/** Names of what the file defines, of whatever form. */
export function namesIn(defined: unknown): string[] {
  return entries(defined).flatMap((entry) => nameIn(entry) ?? [])
}

function entries(defined: unknown): unknown[] {
  return Array.isArray(defined) ? defined : []
}

/** Undefined for a built-in one, which has its name everywhere. */
function nameIn(entry: unknown): string | undefined {
  if (typeof entry === 'string') return entry.startsWith('/') ? nameOf(entry) : undefined
  const name = entry instanceof Object && 'name' in entry ? entry.name : undefined
  return typeof name === 'string' ? name : undefined
}
