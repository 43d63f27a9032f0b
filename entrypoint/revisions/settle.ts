/** Settles from inputs and event which revisions are compared, by whose rules, and checks out their work trees. */
import { existsSync, realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Comparison, comparisonOf } from '../config/comparison.ts'
import { withIdsRead } from '../config/ids-file.ts'
import type { Inputs } from '../config/inputs.ts'
import { refuseSearch } from '../config/load-search.ts'
import { modesOf, refuseFront, refuseWrongOrder } from '../config/modes.ts'
import { parseConfig } from '../config/parse.ts'
import { entryPathOf, type Rules, rulesOf } from '../config/rules.ts'
import type { Config } from '../config/schema.ts'
import { provision } from '../provision/provision.ts'
import { InputError, MeasurementError, messageOf } from '../system/errors.ts'
import type { Job } from '../system/job.ts'
import { which } from '../system/which.ts'
import { baseCommit, baseOfEvent, type Chosen } from './base-commit.ts'
import { changedWorkflows } from './changed-workflows.ts'
import { configurationAt, type Found } from './configuration-at.ts'
import { refuseDetours } from './detours.ts'
import { type Event, isJudgedByBase } from './event.ts'
import { Git } from './git.ts'
import { refuseMissingEntry } from './missing-entry.ts'
import { refuseUncommittedApp, warningsOfUncommitted } from './uncommitted.ts'
import type { Revisions } from './work-trees.ts'
import { checkOut, forgetWorkTrees } from './work-trees.ts'

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
  if (!inputs.study) refuseSearch(rules, inputs.config.placeOf('loads'))
  const chosen: Chosen = judge?.unable ? { none: judge.unable } : await baseCommit(git, rules.baseline, event)
  const notes: string[] = []
  const ofBase = 'none' in chosen ? undefined : fileOfBase(await at(chosen.commit), judge?.config ?? inputs.config, notes)
  const named = 'none' in chosen || !ofBase ? undefined : { commit: chosen.commit, config: ofBase }
  await refuseMissingEntry(git, { commit: head, config: inputs.config }, named, judge !== undefined)
  const trees = await checkOut(git, head, chosen, job.directory)
  job.atEnd(() => forgetWorkTrees(trees, workspace))

  const { revisions, ...withBase } = withApp(trees, inputs.config, ofBase)
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
  const label = revisions.base && `${revisions.base.label} (${revisions.base.commit.slice(0, 10)})`
  job.say(`head ${revisions.head.label}, ${label ? `base ${label}` : `no base: ${revisions.withoutBase}`}`)
  if (revisions.base?.commit === head) job.say(SAME_COMMIT)
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

interface Judge {
  rules: Rules
  config: Config
  /** The reason if base cannot judge. Then there is no base at all. */
  unable?: string
}

/** The rules that judge a pull request: those of the commit that the event names as its base. */
async function judgeOf(git: Git, event: Event, inputs: Inputs, at: (commit: string) => Promise<Found>): Promise<Judge> {
  const ref = await baseOfEvent(git, event)
  const commit = ref && (await git.reach(ref))
  if (!ref) throw new InputError(`base: the event ${event.name} names no base commit`)
  if (!commit) throw new InputError(`base: the event ${event.name} names ${ref}, which is not in this repository`)
  const found = await at(commit)
  const broken = 'config' in found ? unusable(found.config) : undefined
  if ('config' in found && !broken) return { rules: rulesOf(found.config), config: found.config }
  const defaults = parseConfig('', inputs.source, inputs.overrides)
  if ('absent' in found && !existsSync(inputs.source)) return { rules: rulesOf(defaults), config: defaults }
  // Head must not choose the rules of judgement, even if nothing is gated.
  const neutral = { ...rulesOf(inputs.config), ...pickJudgement(rulesOf(defaults)) }
  const unable =
    'absent' in found
      ? `Base (${commit.slice(0, 10)}) has no configuration yet, so it cannot judge this pull request.`
      : `The configuration of base cannot be used, so it cannot judge this pull request: ${broken ?? ('broken' in found && found.broken)}`
  return { rules: neutral, config: inputs.config, unable }
}

/** Why base's modes cannot be measured, if so. The pull request that repairs them must be able to land. */
function unusable(config: Config): string | undefined {
  try {
    const modes = modesOf(config)
    refuseWrongOrder(modes, config.placeOf('modes'))
    refuseFront(config.front, modes, config.placeOf('modes') || config.placeOf('front'))
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

function pickJudgement(rules: Rules): Partial<Rules> {
  const { gate, 'on-inconclusive': inconclusive, 'on-not-gated': notGated, 'accept-label': label } = rules
  const { 'accept-author': author, comment, 'comment-key': key, 'history-branch': branch } = rules
  return {
    gate,
    'on-inconclusive': inconclusive,
    'on-not-gated': notGated,
    'accept-label': label,
    'accept-author': author,
    comment,
    'comment-key': key,
    'history-branch': branch,
  }
}

/** Base's own configuration says how to serve base. A base without the file is served with head's. */
export function fileOfBase(found: Found, otherwise: Config, notes: string[]): Config {
  if ('config' in found) return found.config
  if ('broken' in found) notes.push(`The configuration of base cannot be read, so base is served with head's: ${found.broken}`)
  return otherwise
}

/** Drops a base that does not have the app, because there is nothing to compare with. */
function withApp(trees: Revisions, head: Config, base: Config | undefined): { revisions: Revisions; base?: Config } {
  if (!trees.base || !base) return { revisions: trees }
  const [ofHead, ofBase] = [entryPathOf(head), entryPathOf(base)]
  const why = whyNotComparable(trees.base.label, {
    head: { path: ofHead, isThere: existsSync(join(trees.head.directory, ofHead)) },
    base: { path: ofBase, isThere: existsSync(join(trees.base.directory, ofBase)) },
  })
  return why ? { revisions: { head: trees.head, withoutBase: why } } : { revisions: trees, base }
}

/** The entry file of a revision. */
interface Entry {
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
