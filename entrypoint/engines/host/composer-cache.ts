/** Composer's own package cache. Base's fills it for head. With the cache of Actions an earlier job's fills it for both. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Checkout } from '../../revisions/work-trees.ts'
import type { Cache, Entry } from '../../system/cache.ts'
import { apartOnline, type Environment } from '../../system/environment.ts'
import { exec } from '../../system/exec.ts'
import { lastLine } from '../../system/tail.ts'

export interface ComposerPlace {
  composer: string
  /** The environment in which the app's packages are installed. */
  env: Environment
}

export interface ComposerCache {
  /** Must be called once the packages are installed. */
  save: () => Promise<void>
}

/**
 * Restores the cache if Composer has none yet, because a workflow may have restored its own.
 *
 * @returns undefined if there is nothing to save later
 */
export async function restoreComposerCache(
  checkouts: readonly Checkout[],
  { composer, env }: ComposerPlace,
  cache: Cache,
): Promise<ComposerCache | undefined> {
  const parts = checkouts.flatMap(({ directory }) => lockOf(directory) ?? [])
  const command = [composer, 'config', '--global', 'cache-dir', '--no-interaction', '--no-plugins']
  const { stdout } = await exec(command, { ...apartOnline({ ...env, COMPOSER_ALLOW_SUPERUSER: '1' }), timeoutMs: 30_000 })
  const directory = lastLine(stdout).trim()
  if (parts.length === 0 || !cache.isOpen || !isAbsolute(directory) || hasPackages(directory)) return undefined
  const entry: Entry = { kind: 'composer', parts, directory, isAnyUseful: true, isOfTheApp: true }
  const found = await cache.restore(entry)
  const save = async (): Promise<void> => {
    if (found !== 'exact' && hasPackages(directory)) await cache.save(entry)
  }
  return { save }
}

/** The text that determines which packages are installed. */
function lockOf(directory: string): string | undefined {
  const file = ['composer.lock', 'composer.json'].map((name) => join(directory, name)).find((name) => existsSync(name))
  return file && readFileSync(file, 'utf8')
}

function hasPackages(cacheDirectory: string): boolean {
  const files = join(cacheDirectory, 'files')
  return existsSync(files) && readdirSync(files).length > 0
}
