/** Reads the configuration file of a commit. */
import { names } from '../config/catalog.ts'
import { parseConfig } from '../config/parse.ts'
import type { Config } from '../config/schema.ts'
import { MeasurementError, messageOf } from '../system/errors.ts'
import type { Git } from './git.ts'

export type Found = { config: Config } | { absent: true } | { broken: string }

/** The beginning of git's mode for a plain file. */
export const FILE = '100'

/**
 * @param path relative to the repository
 * @param overrides keys given outside the file, which win over it
 * @throws MeasurementError if the file exists but cannot be read, because that differs from an absent file
 */
export async function configurationAt(git: Git, commit: string, path: string, overrides: Record<string, unknown>): Promise<Found> {
  const parts = path.split('/')
  for (const [i] of parts.entries()) {
    const place = parts.slice(0, i + 1).join('/')
    const mode = await modeAt(git, commit, place)
    if (mode === undefined) return { absent: true }
    const isLast = i === parts.length - 1
    if (isLast ? !mode.startsWith(FILE) : mode !== '040000') return { broken: `${place} is not a plain ${isLast ? 'file' : 'folder'}` }
  }
  const text = await git.blob(commit, path)
  if (text === undefined) throw unreadable(commit, path)
  try {
    const file = `${commit.slice(0, 10)}:${path}`
    return { config: parseConfig(text, file, knownTo(text, file, overrides)) }
  } catch (error) {
    return { broken: messageOf(error) }
  }
}

/**
 * Without the names that this commit cannot know: another one may define them.
 * A list of which nothing is left gives way to the file's.
 */
function knownTo(text: string, file: string, overrides: Record<string, unknown>): Record<string, unknown> {
  const known = { ...overrides }
  for (const [key, folder] of [
    ['modes', 'runtimes'],
    ['workloads', 'workloads'],
  ] as const) {
    const given = overrides[key]
    if (!Array.isArray(given)) continue
    const all = [...names(folder), ...parseConfig(text, file).defined[key]]
    const left = given.filter((name) => String(name).startsWith('/') || all.includes(name))
    if (left.length > 0) known[key] = left
    else delete known[key]
  }
  return known
}

/** The mode of an entry, in git's six digits, or undefined if there is no such entry. */
export async function modeAt(git: Git, commit: string, place: string): Promise<string | undefined> {
  const listed = await git.try('ls-tree', '--full-tree', '-z', commit, '--', place)
  if (listed === undefined) throw unreadable(commit, place)
  return listed.slice(0, 6) || undefined
}

function unreadable(commit: string, place: string): MeasurementError {
  return new MeasurementError(
    `${place} of the commit ${commit.slice(0, 10)} cannot be read from this clone. Check out the whole repository, without a filter and without sparse-checkout.`,
  )
}
