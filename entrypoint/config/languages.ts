/** Which workloads a mode can serve: an app in PHP, and built-in workloads that have a handler in the language of the runtime. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { InputError } from '../system/errors.ts'
import { names, PACKAGE } from './catalog.ts'
import type { Mode } from './experiment.ts'
import { runtimeNamed } from './runtimes.ts'
import type { PlaceOf } from './schema.ts'
import type { Workload } from './workload.ts'

/** Runtimes that serve apps. */
export function phpRuntimes(root = PACKAGE): string[] {
  return names('runtimes', root).filter((name) => runtimeNamed(name, root).language === 'php')
}

/** @throws InputError for a workload that a mode has no handler for, with those that it has */
export function refuseWithoutHandler(modes: readonly Mode[], workloads: readonly Workload[], placeOf: PlaceOf, root = PACKAGE): void {
  const other = modes.find((mode) => mode.via === 'runtime' && mode.runtime.language !== 'php')
  const unable = workloads.find(({ builtIn }) => !builtIn || !hasHandler(builtIn.directory))
  if (!other || !unable) return
  const able = names('workloads', root).filter((name) => hasHandler(join(root, 'workloads', name)))
  const what = unable.builtIn ? `${unable.name} has no handler in JavaScript` : `${unable.name} is a path of the app, which is PHP`
  throw new InputError(`${placeOf('workloads')}workloads: ${what}. Allowed in the mode ${other.name}: ${able.join(', ')}`)
}

function hasHandler(directory: string): boolean {
  return existsSync(join(directory, 'handler.mjs'))
}
