/** Identities that stand in a file of the revision. */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { InputError } from '../system/errors.ts'
import { IDENTITIES_MOST, OF_BUILT_INS, PRINTABLE, PRINTABLE_RULE, withIdentity } from './identities.ts'
import type { Config } from './schema.ts'

/**
 * A configuration with the content of each `ids-file` as `ids`, so that another content is another definition: one ID per line, of which
 * the first 1,000 count.
 *
 * @param directory the root of the revision's files
 * @param otherwise where a file is looked for that the revision does not have yet: base may be served as head's configuration says
 * @throws InputError if a file is missing, empty, outside of the repository or holds what no request can hold
 */
export function withIdsRead(config: Config, directory: string, otherwise = directory): Config {
  const workloads = config.workloads.map((workload) => {
    if (typeof workload === 'string' || !('path' in workload) || typeof workload['ids-file'] !== 'string') return workload
    const { 'ids-file': file, ...rest } = workload
    const place = `workloads.${workload.name}.ids-file`
    const of = existsSync(join(directory, file)) ? directory : otherwise
    return { ...rest, ids: idsOf(textOf(file, place, of), file, place, String(workload.path)) }
  })
  return { ...config, workloads: workloads as Config['workloads'] }
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
