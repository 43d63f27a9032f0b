/** What `{id}` stands for in a workload's requests. */
import { readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { InputError } from '../system/errors.ts'
import type { Workload } from './experiment.ts'

/** No load is higher, so no more of them are ever asked for at a time. */
export const IDENTITIES_MOST = 1000
/** Paths that the built-in workloads have for themselves. */
export const OF_BUILT_INS = '/_bench/'
export const PRINTABLE = /^[\x21-\x7e]+$/
export const PRINTABLE_RULE = 'must be URL-encoded ASCII without spaces'

/** One request of a workload. */
export interface WorkloadRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | undefined
}

export function withIdentity(text: string, id: string): string {
  return text.replaceAll('{id}', () => id)
}

/** @param id by default the one that is measured, the first: hey sends one request over and over */
export function requestOf(workload: Workload, id: string = workload.ids?.[0] ?? '1'): WorkloadRequest {
  return {
    method: workload.method,
    path: withIdentity(workload.path, id),
    headers: Object.fromEntries(Object.entries(workload.headers).map(([name, value]) => [name, withIdentity(value, id)])),
    body: workload.body === undefined ? undefined : withIdentity(workload.body, id),
  }
}

/** @returns one for each of that many requests: those of the configuration in turn, or the numbers from 1 */
export function identitiesOf({ ids }: Workload, count: number): string[] {
  return Array.from({ length: count }, (_, i) => ids?.[i % ids.length] ?? String(i + 1))
}

/** Whether requests with another identity are other requests. */
export function hasIdentities(workload: Workload): boolean {
  return JSON.stringify(requestOf(workload, 'a')) !== JSON.stringify(requestOf(workload, 'b'))
}

/**
 * The workloads of a revision, with the identities of their `ids-file`: one per line, of which the first 1,000 count.
 *
 * @param directory the root of the revision's files
 * @throws InputError if a file is missing, empty, outside of the repository or holds what no request can hold
 */
export function withIdentitiesRead(workloads: readonly Workload[], directory: string): Workload[] {
  return workloads.map((workload) =>
    workload.idsFile === undefined ? workload : { ...workload, ids: identitiesIn(workload, workload.idsFile, directory) },
  )
}

function identitiesIn(workload: Workload, file: string, directory: string): string[] {
  const place = `workloads.${workload.name}.ids-file`
  const lines = textOf(file, place, directory).split('\n')
  const ids = lines.flatMap((line, i) => {
    const id = line.trim()
    if (id === '') return []
    if (!PRINTABLE.test(id)) throw new InputError(`${place}: ${file}:${i + 1}: found ${JSON.stringify(id.slice(0, 80))}: ${PRINTABLE_RULE}`)
    if (withIdentity(workload.path, id).startsWith(OF_BUILT_INS)) {
      throw new InputError(`${place}: ${file}:${i + 1}: found ${JSON.stringify(id)}: ${OF_BUILT_INS} belongs to the built-in workloads`)
    }
    return [id]
  })
  if (ids.length === 0) throw new InputError(`${place}: ${file} holds no ids; allowed: one per line`)
  return ids.slice(0, IDENTITIES_MOST)
}

function textOf(file: string, place: string, directory: string): string {
  let path: string
  try {
    path = realpathSync(join(directory, file))
  } catch {
    throw new InputError(`${place}: the revision has no file ${file}. Commit it: what is measured is what is committed`)
  }
  // A link may lead anywhere, and messages name what is in the file.
  if (!path.startsWith(realpathSync(directory) + sep)) throw new InputError(`${place}: ${file} leads out of the repository`)
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new InputError(`${place}: ${file} cannot be read: ${(error as Error).message}`)
  }
}
