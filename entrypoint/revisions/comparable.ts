/** Tells whether head can be compared with base: both must have the app. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Mode } from '../config/experiment.ts'
import { whyUnable } from '../config/modes.ts'
import { entryPathOf } from '../config/rules.ts'
import type { Config } from '../config/schema.ts'
import { MeasurementError } from '../system/errors.ts'
import type { Revisions } from './work-trees.ts'

/** Drops a base that does not have the app, or that the modes cannot serve, because there is nothing to compare with. */
export function withApp(
  trees: Revisions,
  head: Config,
  base: Config | undefined,
  modes: readonly Mode[],
): { revisions: Revisions; base?: Config } {
  if (!trees.base || !base) return { revisions: trees }
  const [ofHead, ofBase] = [entryPathOf(head), entryPathOf(base)]
  const why =
    whyNotComparable(trees.base.label, {
      head: { path: ofHead, isThere: existsSync(join(trees.head.directory, ofHead)) },
      base: { path: ofBase, isThere: existsSync(join(trees.base.directory, ofBase)) },
    }) ?? whyNotServable(trees.base.label, head, base, modes)
  return why ? { revisions: { head: trees.head, withoutBase: why } } : { revisions: trees, base }
}

/** @returns why these modes cannot serve base, if they are head's: head left its front script for them */
export function whyNotServable(label: string, head: Config, base: Config, modes: readonly Mode[]): string | undefined {
  const why = head.front === null ? whyUnable(base.front, modes) : undefined
  const named = modes.map(({ name }) => name).join(', ')
  return (
    why &&
    `base (${label}) has front: ${base.front}, which the modes of head (${named}) cannot run, so there is nothing to compare with. The next change is compared. To compare this one, change the app first and \`modes\` later.`
  )
}

/** The entry file of a revision. */
export interface Entry {
  path: string
  isThere: boolean
}

/** @returns why base cannot be compared, if so @throws MeasurementError if head lost the app, which makes the gate impossible */
export function whyNotComparable(label: string, { head, base }: { head: Entry; base: Entry }): string | undefined {
  if (base.isThere && !head.isThere)
    throw new MeasurementError(
      `head has no ${head.path}, and base has ${base.path}: without its entry file the app cannot be compared. Keep it, or set \`app\` or \`front\` to its new path.`,
    )
  if (base.isThere || !head.isThere) return undefined
  return `base (${label}) has no ${base.path} yet, so there is nothing to compare with; only min-gain can gate`
}
