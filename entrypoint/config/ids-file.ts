/** Reads identities from a file of the revision. */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { InputError } from '../system/errors.ts'
import { IDENTITIES_MOST, OF_BUILT_INS, PRINTABLE, PRINTABLE_RULE, withIdentity } from './identities.ts'
import type { Config } from './schema.ts'

/**
 * Replaces each `ids-file` by its content as `ids`, so that a change of the file changes the definition. One ID per line; the first
 * 1,000 count.
 *
 * @param textOf reads a file; messages name its key by `place`. If it returns undefined, the file stays unread
 * @throws InputError if a file is empty, or has an ID that no request can contain
 */
export function withIds(config: Config, textOf: (file: string, place: string) => string | undefined): Config {
  const workloads = config.workloads.map((workload, i) => {
    if (typeof workload === 'string' || !('path' in workload) || typeof workload['ids-file'] !== 'string') return workload
    const { 'ids-file': file, ...rest } = workload
    const place = `${config.placeOf('workloads', i, 'ids-file')}workloads.${workload.name}.ids-file`
    const text = textOf(file, place)
    return text === undefined ? workload : { ...rest, ids: idsOf(text, file, place, String(workload.path)) }
  })
  return { ...config, workloads: workloads as Config['workloads'] }
}

/** The files that a configuration names. */
export function idsFiles({ workloads }: Pick<Config, 'workloads'>): string[] {
  return workloads.flatMap((workload) =>
    typeof workload === 'object' && 'path' in workload && typeof workload['ids-file'] === 'string' ? [workload['ids-file']] : [],
  )
}

/** @returns the error for a file that is not committed @param place names the key */
export function missingIds(file: string, place: string): InputError {
  return new InputError(`${place}: the revision has no file ${file}. Commit it: only committed files are measured`)
}

/**
 * withIds() with the files of a revision.
 *
 * @param directory the root of the revision's files
 * @param otherwise the directory to use if the revision does not have the file yet: base may be served by head's configuration
 * @throws InputError also if a file is missing or outside of the repository
 */
export function withIdsRead(config: Config, directory: string, otherwise = directory): Config {
  return withIds(config, (file, place) => textOf(file, place, existsSync(join(directory, file)) ? directory : otherwise))
}

function idsOf(text: string, file: string, place: string, path: string): string[] {
  const ids = text.split('\n').flatMap((line, i) => {
    const id = line.trim()
    if (id === '') return []
    const found = `${place}: ${file}:${i + 1}: found ${JSON.stringify(id.slice(0, 80))}`
    if (!PRINTABLE.test(id)) throw new InputError(`${found}: ${PRINTABLE_RULE}`)
    if (withIdentity(path, id).startsWith(OF_BUILT_INS)) throw new InputError(`${found}: ${OF_BUILT_INS} belongs to the built-in workloads`)
    return [id]
  })
  if (ids.length === 0) throw new InputError(`${place}: ${file} contains no IDs; allowed: one ID per line`)
  return ids.slice(0, IDENTITIES_MOST)
}

function textOf(file: string, place: string, directory: string): string {
  let path: string
  try {
    path = realpathSync(join(directory, file))
  } catch {
    throw missingIds(file, place)
  }
  // A link may lead anywhere, and messages quote the file.
  if (!path.startsWith(realpathSync(directory) + sep)) throw new InputError(`${place}: ${file} leads outside the repository`)
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new InputError(`${place}: ${file} cannot be read: ${(error as Error).message}`)
  }
}
