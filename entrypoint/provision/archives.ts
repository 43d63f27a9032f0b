/** Reuses Debian archives of earlier jobs. An archive that differs from apt's signed lists is downloaded again. */
import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Cache, type Entry, entryDirectory } from '../system/cache.ts'
import { apart } from '../system/environment.ts'
import { exec } from '../system/exec.ts'
import { sha256 } from '../system/sealed.ts'
import { asRoot } from './apt-get.ts'

export interface Archive {
  file: string
  /** In bytes. */
  size: number
  sha256: string
}

/** In bytes. Less can be downloaded from the mirror as fast. */
const WORTH_CACHING = 20_000_000

/** The archives of the packages to install. */
export interface Archives {
  entry: Entry
  all: Archive[]
  /** Arguments with which apt-get finds them. */
  options: string[]
  /** Whether the cache holds exactly these archives. */
  isSaved: boolean
}

/**
 * Restores the archives that the cache has.
 *
 * @param install arguments of apt-get
 * @returns undefined if there is no cache, or little to download
 */
export async function restoreArchives(install: readonly string[], cache: Cache): Promise<Archives | undefined> {
  if (!cache.isOpen) return undefined
  const { stdout } = await exec(['apt-get', '-qq', '--print-uris', '-o', 'Acquire::ForceHash=SHA256', ...install], apart())
  const all = parseUris(stdout)
  if (all.reduce((sum, { size }) => sum + size, 0) < WORTH_CACHING) return undefined
  const directory = entryDirectory('packages')
  // After an update of a few packages, the other archives are still valid.
  const entry: Entry = { kind: 'packages', parts: all.map((archive) => archive.sha256).sort(), directory, isAnyUseful: true }
  const found = await cache.restore(entry)
  const strange = removeOthers(directory, all)
  if (found === 'exact' && strange.length > 0) cache.refuse(entry, `${strange[0]} is not the archive that apt's lists name`)
  return { entry, all, options: ['-o', `Dir::Cache::archives=${directory}`], isSaved: found === 'exact' }
}

/** Saves the archives for the next job and frees their space. @param isDone whether they were installed */
export async function keepArchives({ entry, all, isSaved }: Archives, isDone: boolean, cache: Cache): Promise<void> {
  const { directory } = entry
  // Files of apt-get, which this user may not read.
  await exec(asRoot(['rm', '-rf', join(directory, 'partial'), join(directory, 'lock')]), apart())
  if (isDone && !isSaved && removeOthers(directory, all).length === 0) await cache.save(entry)
  rmSync(directory, { recursive: true, force: true })
}

/** Parses the output of `apt-get --print-uris`: 'address' file size SHA256:sum. Pure. */
export function parseUris(text: string): Archive[] {
  return [...text.matchAll(/^'[^']*' ([^\s/]+\.deb) (\d+) SHA256:([0-9a-f]{64})$/gm)].map(([, file, size, sum]) => ({
    file: file as string,
    size: Number(size),
    sha256: sum as string,
  }))
}

/** Removes other archives, because apt-get compares only the sizes of existing ones. @returns names of the removed files */
function removeOthers(directory: string, all: readonly Archive[]): string[] {
  const sums = new Map(all.map((archive) => [archive.file, archive.sha256]))
  const strange = readdirSync(directory).filter((name) => {
    const file = join(directory, name)
    return !lstatSync(file).isFile() || sums.get(name) !== sha256(file)
  })
  for (const name of strange) rmSync(join(directory, name), { recursive: true, force: true })
  return strange
}
