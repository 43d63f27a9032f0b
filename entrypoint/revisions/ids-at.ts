/** The identities in files of a commit, where no work tree is made. */
import { idsFiles, missingIds, withIds } from '../config/ids-file.ts'
import type { Config } from '../config/schema.ts'
import { FILE, modeAt } from './configuration-at.ts'
import type { Git } from './git.ts'

/**
 * A file that is a link stays unread: only a work tree says where it leads.
 *
 * @param commits where each file is looked for, in this order
 * @throws InputError if none of them has a file, or it holds what no request can hold
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
