/** Tells whether head can be compared with base: both must have the app. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { entryPathOf } from '../config/rules.ts'
import type { Config } from '../config/schema.ts'
import { MeasurementError } from '../system/errors.ts'
import type { Revisions } from './work-trees.ts'

/** Drops a base that does not have the app, because there is nothing to compare with. */
export function withApp(trees: Revisions, head: Config, base: Config | undefined): { revisions: Revisions; base?: Config } {
  if (!trees.base || !base) return { revisions: trees }
  const [ofHead, ofBase] = [entryPathOf(head), entryPathOf(base)]
  const why = whyNotComparable(trees.base.label, {
    head: { path: ofHead, isThere: existsSync(join(trees.head.directory, ofHead)) },
    base: { path: ofBase, isThere: existsSync(join(trees.base.directory, ofBase)) },
  })
  return why ? { revisions: { head: trees.head, withoutBase: why } } : { revisions: trees, base }
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
