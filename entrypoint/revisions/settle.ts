/** Settles from inputs and event which revisions are compared, by whose rules, and checks out their work trees. */
import { existsSync, realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Comparison, comparisonOf } from '../config/comparison.ts'
import { withIdsRead } from '../config/ids-file.ts'
import type { Inputs } from '../config/inputs.ts'
import { refuseRates } from '../config/load-rate.ts'
import { refuseSearch } from '../config/load-search.ts'
import { modesOf, refuseWrongOrder } from '../config/modes.ts'
import { entryPathOf, rulesOf } from '../config/rules.ts'
import type { Config } from '../config/schema.ts'
import { provision } from '../provision/provision.ts'
import type { Job } from '../system/job.ts'
import { which } from '../system/which.ts'
import { baseCommit, type Chosen, namedCommit } from './base-commit.ts'
import { changedWorkflows } from './changed-workflows.ts'
import { withApp } from './comparable.ts'
import { configurationAt, type Found } from './configuration-at.ts'
import { refuseDetours } from './detours.ts'
import { type Event, isJudgedByBase } from './event.ts'
import { Git } from './git.ts'
import { judgeOf } from './judge.ts'
import { refuseMissingEntry } from './missing-entry.ts'
import { NO_ENTRY, refuseNothing } from './nothing-of-theirs.ts'
import { refuseUncommittedApp, warningsOfUncommitted } from './uncommitted.ts'
import { checkOut, forgetWorkTrees, type Revisions } from './work-trees.ts'

/** The message if base and head cannot differ. */
export const SAME_COMMIT = 'base and head are the same commit: this is an A/A measurement'

export interface Settled extends Comparison {
  revisions: Revisions
}

/** @throws InputError if the workspace is no repository or base cannot be found; MeasurementError if nothing is left to judge */
export async function settle(inputs: Inputs, event: Event, job: Job): Promise<Settled> {
  const { workspace, overrides, token } = inputs
  if (!inputs.study) refuseWrongOrder(modesOf(inputs.config), inputs.config.placeOf('modes'))
  if (isJudgedByBase(event)) refuseDetours(process.env.GITHUB_WORKSPACE ?? workspace, workspace, inputs.source)
  if (!which('git'))
    await provision(
      { engine: 'git', modes: [], database: { from: 'none' }, report: false, composer: false },
      { yes: inputs.yes, say: job.say },
    )
  const git = new Git(workspace, token)
  const head = await git.head()
  await refuseUncommittedApp(git, workspace, inputs.config, head)
  for (const warning of await warningsOfUncommitted(git, workspace, inputs.source, head)) job.say(warning)
  if (await git.holdsToken())
    job.say('warning: the checkout left its token in .git/config, where the app can read it. Set persist-credentials: false')
  // A configuration outside the repository belongs to no revision, so it counts for both.
  const path = pathInRepository(await git.run('rev-parse', '--show-toplevel'), inputs)
  const at = (commit: string): Promise<Found> =>
    path === undefined ? Promise.resolve({ config: inputs.config }) : configurationAt(git, commit, path, overrides)

  const judge = inputs.study || !isJudgedByBase(event) ? undefined : await judgeOf(git, event, inputs, at)
  const rules = judge?.rules ?? rulesOf(inputs.config)
  if (!inputs.study) {
    refuseSearch(rules, inputs.config.placeOf('loads'))
    refuseRates(rules, inputs.config.placeOf('loads'))
  }
  const chosen: Chosen = judge?.unable ? { none: judge.unable } : await baseCommit(git, rules.baseline, event)
  const notes: string[] = []
  const inBase = 'none' in chosen ? undefined : { commit: chosen.commit, found: await at(chosen.commit) }
  const ofBase = inBase && fileOfBase(inBase.found, judge?.config ?? inputs.config, notes)
  const named = inBase && ofBase && { commit: inBase.commit, config: ofBase }
  await refuseMissingEntry(git, { commit: head, config: inputs.config }, named, judge !== undefined)
  await refuseNothing(git, inputs, head, inBase)
  const trees = await checkOut(git, head, chosen, job.directory)
  job.atEnd(() => forgetWorkTrees(trees, workspace))

  const { revisions, ...withBase } = withApp(trees, inputs.config, ofBase, modesOf(rules))
  const inHead = revisions.head.directory
  const headConfig = withIdsRead(inputs.config, inHead)
  const base = withBase.base && revisions.base && withIdsRead(withBase.base, revisions.base.directory, inHead)
  const comparison = comparisonOf({
    rules,
    placeOf: judge?.config.placeOf,
    head: headConfig,
    base,
    isJudgedByBase: judge !== undefined && !judge.unable,
  })
  const label = revisions.base && namedCommit(revisions.base)
  job.say(`head ${revisions.head.label}, ${label ? `base ${label}` : `no base: ${revisions.withoutBase}`}`)
  if (revisions.base?.commit === head) job.say(SAME_COMMIT)
  const needsEntry = !inputs.study && comparison.modes.some(({ via }) => via === 'runtime')
  if (needsEntry && !existsSync(join(inHead, entryPathOf(inputs.config)))) job.say(NO_ENTRY)
  const all = [
    ...(judge?.unable ? [judge.unable] : []),
    ...comparison.notes,
    ...notes,
    ...(await changedWorkflows(git, revisions, process.env.GITHUB_WORKFLOW_REF ?? '')),
  ]
  for (const note of all) job.say(`note: ${note}`)
  return { ...comparison, notes: all, revisions }
}

/** The path of the configuration in the repository, or undefined if it lies outside. */
export function pathInRepository(root: string, { source, workspace }: Inputs): string | undefined {
  const path = relative(root, join(realpathSync(workspace), relative(workspace, source)))
  return path.startsWith('..') ? undefined : path
}

/** Base's own configuration says how to serve base. A base without the file is served with head's. */
export function fileOfBase(found: Found, otherwise: Config, notes: string[]): Config {
  if ('config' in found) return found.config
  if ('broken' in found) notes.push(`The configuration of base cannot be read, so base is served with head's: ${found.broken}`)
  return otherwise
}
