/** Refuses an entry file or front script that the configuration names and head does not have, such as a typing error. */
import { basename } from 'node:path'
import { entryPathOf } from '../config/rules.ts'
import type { Config } from '../config/schema.ts'
import { nearest } from '../config/suggest.ts'
import { InputError, MeasurementError } from '../system/errors.ts'
import type { Git } from './git.ts'

export interface Named {
  commit: string
  config: Pick<Config, 'app' | 'front' | 'placeOf'>
}

/**
 * If head only lost a file that base's configuration names, too, whyNotComparable() reports it instead.
 *
 * @param base undefined if there is no base
 * @param isJudgedByBase whether base judges: a pull request must not choose how it ends, so its error makes the measurement invalid
 * @throws InputError naming the key's line, what was found and the nearest file; MeasurementError with the same message
 */
export async function refuseMissingEntry(git: Git, head: Named, base: Named | undefined, isJudgedByBase: boolean): Promise<void> {
  const key = head.config.front === null ? 'app' : 'front'
  const place = head.config.placeOf(key)
  const path = entryPathOf(head.config)
  // The default may be absent: the built-in workloads run without an app.
  if (place === '' || (await has(git, head))) return
  const baseHasIt = base !== undefined && (await has(git, base))
  if (baseHasIt && entryPathOf(base.config) === path) return
  const message = `${place}${key}: found ${path}, which the commit ${head.commit.slice(0, 10)} does not have${await hint(git, head.commit, path)} Allowed: a PHP script of the repository`
  throw isJudgedByBase && baseHasIt ? new MeasurementError(message) : new InputError(message)
}

async function has(git: Git, { commit, config }: Named): Promise<boolean> {
  return (await git.try('cat-file', '-e', `${commit}:${entryPathOf(config)}`)) !== undefined
}

/** Suggests the committed script with the nearest path, else one with the same name in another folder. */
async function hint(git: Git, commit: string, path: string): Promise<string> {
  const listed = (await git.try('ls-tree', '-r', '-z', '--name-only', '--full-tree', commit)) ?? ''
  const scripts = listed.split('\0').filter((file) => file.endsWith('.php') && !/(^|\/)vendor\//.test(file) && !/\p{Cc}/u.test(file))
  const found = nearest(path, scripts) ?? scripts.find((script) => basename(script) === basename(path))
  return found === undefined ? '.' : `; did you mean "${found}"?`
}
