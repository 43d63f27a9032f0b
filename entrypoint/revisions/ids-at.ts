/** Reads identities from the files of a commit, without a work tree. */
import { idsFiles, missingIds, withIds } from '../config/ids-file.ts'
import type { Config } from '../config/schema.ts'
import { FILE, modeAt } from './configuration-at.ts'
import type { Git } from './git.ts'

/**
 * Links are not read, because only a work tree shows where they lead.
 *
 * @param commits the commits that are searched for each file, in this order
 * @throws InputError if no commit has a file, or if it holds an ID that no request can hold
 */
export async function withIdsAt(git: Git, config: Config, commits: readonly string[]): Promise<Config> {
  const texts = new Map<string, string | undefined>()
  for (const file of idsFiles(config)) {
    for (const commit of commits) {
      const mode = await modeAt(git, commit, file)
      if (mode === undefined) continue
      texts.set(file, mode.startsWith(FILE) ? await git.blob(commit, file) : undefined)
      break
    }
  }
  return withIds(config, (file, place) => {
    if (!texts.has(file)) throw missingIds(file, place)
    return texts.get(file)
  })
}
