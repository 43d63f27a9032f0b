/** Refuses a repository of which nothing would be measured: without an app, only the built-in workloads could run. */
import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import type { Inputs } from '../config/inputs.ts'
import { modesOf } from '../config/modes.ts'
import { entryPathOf } from '../config/rules.ts'
import type { Config } from '../config/schema.ts'
import { workloadsOf } from '../config/workloads.ts'
import { InputError } from '../system/errors.ts'
import type { Found } from './configuration-at.ts'
import type { Git } from './git.ts'

/** What is asked about a repository: these inputs name its app or what to measure. */
export type Asked = Pick<Inputs, 'source' | 'workspace' | 'overrides' | 'study'>

/** Keys that say what to measure, wherever they are given. */
const NAMING = ['app', 'front', 'workloads'] as const

/** Said at the beginning of a measurement without an app. */
export const NO_ENTRY = 'no entry file: the built-in workloads run without an app, so nothing of this repository is measured'

/** @param hasEntry whether the entry file exists @returns what is missing, and the ways out, or undefined if something is there */
export function nothingOfTheirs({ source, workspace, overrides, study }: Asked, entry: string, hasEntry: boolean): string | undefined {
  if (study || hasEntry || existsSync(source) || NAMING.some((key) => overrides[key] !== undefined)) return undefined
  return [
    `This repository has nothing of its own to measure: no configuration (${relative(workspace, source)}) and no app (${entry}).`,
    '`init` writes both. `demo` measures an example app.',
    'The built-in workloads alone run if they are named: `workloads: fibonacci,invoice` as an input, or `--workloads fibonacci,invoice`.',
  ].join(' ')
}

/**
 * If base has them, head has lost its own, which others report.
 *
 * @param base undefined if there is no base
 * @throws InputError with the ways out
 */
export async function refuseNothing(
  git: Git,
  inputs: Asked & Pick<Inputs, 'config'>,
  head: string,
  base: { commit: string; found: Found } | undefined,
): Promise<void> {
  const path = entryPathOf(inputs.config)
  const has = async (commit: string): Promise<boolean> => (await git.try('cat-file', '-e', `${commit}:${path}`)) !== undefined
  if (await has(head)) return
  if (base && (await has(base.commit))) return
  const nothing = base && !('absent' in base.found) ? undefined : nothingOfTheirs(inputs, path, false)
  if (nothing) throw new InputError(nothing)
  refuseUnanswered(inputs.config, head)
}

/** A path needs an app, or a mode with a server of its own. */
function refuseUnanswered(config: Config, head: string): void {
  const asked = workloadsOf(config).findIndex(({ builtIn }) => !builtIn)
  if (asked < 0 || modesOf(config).every(({ via }) => via === 'command')) return
  const { name, path } = workloadsOf(config)[asked] as { name: string; path: string }
  throw new InputError(
    `${config.placeOf('workloads', asked)}workloads.${name}: found ${path}, and the commit ${head.slice(0, 10)} has no ${entryPathOf(config)} to answer it. \`init\` writes it; \`app:\` or \`front:\` names another file.`,
  )
}
