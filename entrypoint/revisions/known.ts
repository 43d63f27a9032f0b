/** The comparison as far as this clone knows it, without fetching or work trees. */

import { type Comparison, comparisonOf } from '../config/comparison.ts'
import type { Inputs } from '../config/inputs.ts'
import { refuseRates } from '../config/load-rate.ts'
import { refuseSearch } from '../config/load-search.ts'
import { modesOf, refuseWrongOrder } from '../config/modes.ts'
import { entryPathOf, rulesOf } from '../config/rules.ts'
import type { Config } from '../config/schema.ts'
import { InputError } from '../system/errors.ts'
import { baseCommit, type Chosen } from './base-commit.ts'
import { type Entry, whyNotComparable, whyNotServable } from './comparable.ts'
import { configurationAt, type Found } from './configuration-at.ts'
import { NO_EVENT } from './event.ts'
import { Git } from './git.ts'
import { withIdsAt } from './ids-at.ts'
import { refuseMissingEntry } from './missing-entry.ts'
import { refuseNothing } from './nothing-of-theirs.ts'
import { fileOfBase, pathInRepository } from './settle.ts'
import { refuseUncommittedApp, warningsOfUncommitted } from './uncommitted.ts'

export interface Known extends Comparison {
  head: string
  /** The entry file of head. */
  entry: Entry
  base?: { commit: string; label: string } | undefined
  /** The reason if there is no base, or if base is not known yet. */
  withoutBase?: string | undefined
  warnings: string[]
}

/** git that fetches nothing. */
class LocalGit extends Git {
  override async try(...args: string[]): Promise<string | undefined> {
    return args[0] === 'fetch' ? undefined : super.try(...args)
  }
}

/** @throws InputError if the workspace is no repository, the app is not committed, or a complete clone lacks the baseline */
export async function knownComparison(inputs: Inputs): Promise<Known> {
  const { workspace } = inputs
  refuseWrongOrder(modesOf(inputs.config), inputs.config.placeOf('modes'))
  refuseSearch(inputs.config, inputs.config.placeOf('loads'))
  refuseRates(inputs.config, inputs.config.placeOf('loads'))
  const git = new LocalGit(workspace)
  const head = await git.head()
  await refuseUncommittedApp(git, workspace, inputs.config, head)
  const warnings = await warningsOfUncommitted(git, workspace, inputs.source, head)
  const config = await withIdsAt(git, inputs.config, [head])
  const chosen = await chosenHere(git, config.baseline)
  const compared = (base?: Config): Comparison => comparisonOf({ rules: rulesOf(config), head: config, base, isJudgedByBase: false })
  const entryAt = async (commit: string, served: Config): Promise<Entry> => {
    const path = entryPathOf(served)
    return { path, isThere: (await git.try('cat-file', '-e', `${commit}:${path}`)) !== undefined }
  }
  const entry = await entryAt(head, config)
  if ('none' in chosen) {
    await refuseMissingEntry(git, { commit: head, config }, undefined, false)
    await refuseNothing(git, inputs, head, undefined)
    return { ...compared(), head, entry, withoutBase: chosen.none, warnings }
  }
  const notes: string[] = []
  const found = await configurationOf(git, chosen.commit, inputs)
  const base = fileOfBase(found, inputs.config, notes)
  await refuseMissingEntry(git, { commit: head, config }, { commit: chosen.commit, config: base }, false)
  await refuseNothing(git, inputs, head, { commit: chosen.commit, found })
  const why =
    whyNotComparable(chosen.label, { head: entry, base: await entryAt(chosen.commit, base) }) ??
    whyNotServable(chosen.label, config, base, modesOf(config))
  const all = [...warnings, ...notes.map((note) => `note: ${note}`)]
  if (why) return { ...compared(), head, entry, withoutBase: why, warnings: all }
  return { ...compared(await withIdsAt(git, base, [chosen.commit, head])), head, entry, base: chosen, warnings: all }
}

async function configurationOf(git: Git, commit: string, inputs: Inputs): Promise<Found> {
  const path = pathInRepository(await git.run('rev-parse', '--show-toplevel'), inputs)
  return path === undefined ? { config: inputs.config } : configurationAt(git, commit, path, inputs.overrides)
}

async function chosenHere(git: Git, baseline: string): Promise<Chosen> {
  try {
    return await baseCommit(git, baseline, NO_EVENT)
  } catch (error) {
    if (!(error instanceof InputError) || (await git.try('rev-parse', '--is-shallow-repository')) !== 'true') throw error
    return { none: 'not in this shallow clone; a run fetches it' }
  }
}
