/** Composer's own cache of packages. Base's serves head, and with the cache of Actions an earlier job's serves both. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Checkout } from '../../revisions/work-trees.ts'
import type { Cache, Entry } from '../../system/cache.ts'
import { apartOnline, type Environment } from '../../system/environment.ts'
import { exec } from '../../system/exec.ts'
import { lastLine } from '../../system/tail.ts'

export interface ComposerPlace {
  composer: string
  /** That the app's packages are installed with. */
  env: Environment
}

export interface ComposerCache {
  /** To be called once the packages are installed. */
  save: () => Promise<void>
}

/**
 * Looks for it if Composer has none yet: a workflow may bring its own.
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

/** What decides which packages are installed. */
function lockOf(directory: string): string | undefined {
  const file = ['composer.lock', 'composer.json'].map((name) => join(directory, name)).find((name) => existsSync(name))
  return file && readFileSync(file, 'utf8')
}

function hasPackages(cacheDirectory: string): boolean {
  const files = join(cacheDirectory, 'files')
  return existsSync(files) && readdirSync(files).length > 0
}
