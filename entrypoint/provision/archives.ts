/** Reuses Debian archives of earlier jobs. Each must be the one that apt's signed lists name, or it is downloaded again. */
import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Cache, type Entry, entryDirectory } from '../system/cache.ts'
import { apart } from '../system/environment.ts'
import { exec } from '../system/exec.ts'
import { sha256 } from '../system/sealed.ts'
import { asRoot } from './apt-get.ts'

export interface Archive {
  file: string
  /** Bytes. */
  size: number
  sha256: string
}

/** Bytes; less is downloaded as fast from the mirror. */
const WORTH_CACHING = 20_000_000

/** Of packages that are to be installed. */
export interface Archives {
  entry: Entry
  all: Archive[]
  /** Arguments of apt-get, for it to find them. */
  options: string[]
  /** The cache holds exactly these. */
  isSaved: boolean
}

/**
 * Brings those archives that the cache has.
 *
 * @param install arguments of apt-get
 * @returns undefined where there is no cache, or little to download
 */
export async function restoreArchives(install: readonly string[], cache: Cache): Promise<Archives | undefined> {
  if (!cache.isOpen) return undefined
  const { stdout } = await exec(['apt-get', '-qq', '--print-uris', '-o', 'Acquire::ForceHash=SHA256', ...install], apart())
  const all = parseUris(stdout)
  if (all.reduce((sum, { size }) => sum + size, 0) < WORTH_CACHING) return undefined
  const directory = entryDirectory('packages')
  // An update of a few packages leaves the others as they are.
  const entry: Entry = { kind: 'packages', parts: all.map((archive) => archive.sha256).sort(), directory, isAnyUseful: true }
  const found = await cache.restore(entry)
  const strange = removeOthers(directory, all)
  if (found === 'exact' && strange.length > 0) cache.refuse(entry, `${strange[0]} is not the archive that apt's lists name`)
  return { entry, all, options: ['-o', `Dir::Cache::archives=${directory}`], isSaved: found === 'exact' }
}

/** Saves them for the next job, and gives back their space. @param isDone they were installed */
export async function keepArchives({ entry, all, isSaved }: Archives, isDone: boolean, cache: Cache): Promise<void> {
  const { directory } = entry
  // apt-get's own, which this user may not read.
  await exec(asRoot(['rm', '-rf', join(directory, 'partial'), join(directory, 'lock')]), apart())
  if (isDone && !isSaved && removeOthers(directory, all).length === 0) await cache.save(entry)
  rmSync(directory, { recursive: true, force: true })
}

/** What `apt-get --print-uris` prints: 'address' file size SHA256:sum. Pure. */
export function parseUris(text: string): Archive[] {
  return [...text.matchAll(/^'[^']*' ([^\s/]+\.deb) (\d+) SHA256:([0-9a-f]{64})$/gm)].map(([, file, size, sum]) => ({
    file: file as string,
    size: Number(size),
    sha256: sum as string,
  }))
}

/** apt-get itself compares the sizes alone of archives that are there. @returns names of what was removed */
function removeOthers(directory: string, all: readonly Archive[]): string[] {
  const sums = new Map(all.map((archive) => [archive.file, archive.sha256]))
  const strange = readdirSync(directory).filter((name) => {
    const file = join(directory, name)
    return !lstatSync(file).isFile() || sums.get(name) !== sha256(file)
  })
  for (const name of strange) rmSync(join(directory, name), { recursive: true, force: true })
  return strange
}
