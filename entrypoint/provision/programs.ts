/** Programs that no package has. They are downloaded once, and their SHA-256 is pinned for each processor. */
import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DownloadNeed } from '../config/runtimes.ts'
import { type Cache, cacheDirectory, type Entry, emptied, entryDirectory } from '../system/cache.ts'
import { type DownloadLimits, download } from '../system/download.ts'
import { apart } from '../system/environment.ts'
import { messageOf } from '../system/errors.ts'
import { exec } from '../system/exec.ts'
import { sha256 } from '../system/sealed.ts'
import { lastLine } from '../system/tail.ts'
import type { Attempt } from './apt.ts'

/** FrankenPHP, the largest program that a runtime may need, has 170 MiB. */
const LIMITS: DownloadLimits = { bytes: 512 * 2 ** 20, wholeMs: 600_000, silentMs: 30_000 }

/** Where the program is, or will be. @param processor as `uname -m` prints it */
export function programPath(need: DownloadNeed, processor: string): string {
  return join(cacheDirectory(), 'programs', `${need.download}-${need.version}-${processor}`, need.download)
}

/** The published file, which may be an archive with the program. */
function publishedPath(need: DownloadNeed, processor: string): string {
  const program = programPath(need, processor)
  return need.member === undefined ? program : `${program}.tar.gz`
}

/** The address for the processor. @returns undefined if there is no pinned download for it */
export function addressOf(need: DownloadNeed, processor: string): string | undefined {
  const pinned = need.architectures[processor]
  return pinned && filled(need.url, need, pinned.name)
}

function filled(text: string, { version }: DownloadNeed, architecture: string): string {
  return text.replaceAll('{version}', version).replaceAll('{architecture}', architecture)
}

/** The fault of the program in our directory, or undefined. It is compared with its archive, because only that has a pinned digest. */
export async function programFault(need: DownloadNeed, processor: string): Promise<string | undefined> {
  const pinned = need.architectures[processor]
  if (!pinned) return `${placeOf(need)}: found the processor ${processor}. Allowed: ${Object.keys(need.architectures).sort().join(', ')}`
  const published = publishedPath(need, processor)
  if (!existsSync(published)) return 'a download'
  const found = sha256(published)
  if (found !== pinned.sha256) return wrongDigest(need, published, found, pinned.sha256)
  if (need.member === undefined) return undefined
  const program = programPath(need, processor)
  const member = filled(need.member, need, pinned.name)
  const compared = await exec(
    ['sh', '-c', 'test -s "$3" && tar -xzOf "$1" -- "$2" | cmp -s - "$3"', 'sh', published, member, program],
    apart(),
  )
  return compared.code === 0 ? undefined : `${program} is not the ${member} of ${published}`
}

/**
 * Takes the published file from the cache of Actions or from its address, and the program out of it. Failures are noted.
 *
 * @param processor as `uname -m` prints it
 */
export async function installProgram(
  need: DownloadNeed,
  processor: string,
  { tried, say, cache }: Attempt & { cache: Cache },
  limits = LIMITS,
): Promise<void> {
  const pinned = need.architectures[processor]
  const url = addressOf(need, processor)
  if (!pinned || !url) return
  const published = publishedPath(need, processor)
  const entry: Entry = {
    kind: `program-${need.download}`,
    parts: [need.version, processor, pinned.sha256],
    directory: entryDirectory(`program-${need.download}`),
  }
  const kept = join(entry.directory, basename(published))
  const fresh = `${published}.new`
  const isRight = (file: string): boolean => existsSync(file) && sha256(file) === pinned.sha256
  mkdirSync(dirname(published), { recursive: true })
  try {
    if (!isRight(published)) {
      if ((await cache.restore(entry)) === 'exact') {
        if (isRight(kept)) copyFileSync(kept, published)
        else cache.refuse(entry, `${basename(kept)} does not have the SHA-256 of ${placeOf(need)}`)
      }
    }
    if (!isRight(published)) {
      say(`${need.download}: downloading ${need.version} from ${new URL(url).host}`)
      const found = await download(url, fresh, limits)
      if (found !== pinned.sha256) throw new Error(wrongDigest(need, url, found, pinned.sha256))
      renameSync(fresh, published)
      if (cache.isOpen) {
        emptied(entry.directory)
        copyFileSync(published, kept)
        await cache.save(entry)
      }
    }
    if (need.member !== undefined) await unpack(published, filled(need.member, need, pinned.name), programPath(need, processor))
    chmodSync(programPath(need, processor), 0o755)
  } catch (error) {
    tried.push(`download: ${url}: ${messageOf(error)}. You can put that file at ${published} yourself`)
  } finally {
    rmSync(fresh, { force: true })
  }
}

/** @throws Error if the archive lacks the member */
async function unpack(archive: string, member: string, program: string): Promise<void> {
  const fresh = `${program}.new`
  const done = await exec(['sh', '-c', 'tar -xzOf "$1" -- "$2" > "$3"', 'sh', archive, member, fresh], apart())
  if (done.code === 0) renameSync(fresh, program)
  else rmSync(fresh, { force: true })
  if (done.code !== 0) throw new Error(`its ${member} cannot be unpacked: ${lastLine(done.stderr)}`)
}

function placeOf({ directory, download: name }: DownloadNeed): string {
  return `runtimes/${basename(directory)}/runtime.yml: needs.${name}`
}

function wrongDigest(need: DownloadNeed, of: string, found: string, allowed: string): string {
  return `${placeOf(need)}: found the SHA-256 ${found} of ${of}. Allowed: ${allowed}`
}
