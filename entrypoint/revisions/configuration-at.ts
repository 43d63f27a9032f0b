/** The configuration file as a commit has it. */
import { type Config, parseConfig } from '../config/schema.ts'
import { messageOf } from '../system/errors.ts'
import type { Git } from './git.ts'

export type Found = { config: Config } | { absent: true } | { broken: string }

/**
 * @param path inside the repository
 * @param overrides keys given outside the file, which win over it
 */
export async function configurationAt(git: Git, commit: string, path: string, overrides: Record<string, unknown>): Promise<Found> {
  // The blob itself: no work tree, so no link is followed, and no filter of the repository runs.
  const text = await git.try('cat-file', 'blob', `${commit}:${path}`)
  if (text === undefined) return { absent: true }
  try {
    return { config: parseConfig(text, path, overrides) }
  } catch (error) {
    return { broken: messageOf(error) }
  }
}
