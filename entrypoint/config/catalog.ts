/** The names of the folders under runtimes/ and workloads/, and the message for an unknown name. */
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InputError } from '../system/errors.ts'
import { suggesting } from './suggest.ts'

/** The root of this package, from entrypoint/config/ and from dist/ alike. */
export const PACKAGE = rootAbove(dirname(fileURLToPath(import.meta.url)))

function rootAbove(directory: string): string {
  return existsSync(join(directory, 'runtimes')) ? directory : rootAbove(dirname(directory))
}

/** Names of the folders that can be used as a runtime or a workload. */
export function names(kind: 'runtimes' | 'workloads', root = PACKAGE): string[] {
  const file = kind === 'runtimes' ? 'runtime.yml' : 'workload.yml'
  return readdirSync(join(root, kind))
    .filter((name) => existsSync(join(root, kind, name, file)))
    .sort()
}

/** @param allowed names @param more a sentence to append */
export function unknownName(place: string, what: string, found: string, allowed: string[], more = ''): InputError {
  return new InputError(`${suggesting(`${place}: no ${what} named "${found}"`, found, allowed.length ? allowed : ['none'])}.${more}`)
}

export function refuseRepeated(place: string, found: string[]): void {
  const twice = found.find((name, i) => found.indexOf(name) !== i)
  if (twice) throw new InputError(`${place}: duplicate "${twice}"`)
}
