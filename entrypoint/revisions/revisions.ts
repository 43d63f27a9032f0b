/** Base and head as two work trees. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Checkout, Revisions } from '../config/experiment.ts'
import { InputError } from '../system/errors.ts'
import { Git } from './git.ts'

/** The event that started the job; a person's command line has none. */
export interface Event {
  name: string
  /** The full ref, such as refs/tags/v1.2.3. */
  ref: string
  payload: {
    before?: string
    pull_request?: { base?: { sha?: string } }
    merge_group?: { base_sha?: string }
  }
}

export const NO_EVENT: Event = { name: '', ref: '', payload: {} }

const ZERO = /^0+$/

export interface RevisionRequest {
  workspace: string
  /** auto, none, latest-release or a git revision. */
  baseline: string
  event: Event
  token: string
  /** Where the work trees go. */
  directory: string
  /** The app's entry file, relative to the root. */
  app: string
  say: (line: string) => void
}

/** @throws InputError if the workspace is no repository or the baseline cannot be found */
export async function checkOut(request: RevisionRequest): Promise<Revisions> {
  const git = new Git(request.workspace, request.token)
  const root = await git.try('rev-parse', '--show-toplevel')
  if (!root) throw new InputError(`${request.workspace}: not a git repository. Base and head are two of its commits.`)
  await git.try('worktree', 'prune')
  const headCommit = await git.commit('HEAD')
  if (!headCommit) throw new InputError(`${request.workspace}: the repository has no commit yet.`)
  const dirty = (await git.run('status', '--porcelain', '--untracked-files=no')).split('\n').filter(Boolean)
  if (dirty.length)
    request.say(`warning: ${dirty.length} changed files are not committed; the commit ${headCommit.slice(0, 10)} is measured without them`)

  const head = await workTree(git, request, 'head', headCommit)
  const chosen = await baseline(git, request, headCommit)
  if ('none' in chosen) return { head, withoutBase: chosen.none }
  if (chosen.commit === headCommit) request.say('base and head are the same commit: this is an A/A measurement')
  const base = await workTree(git, request, 'base', chosen.commit)
  if (existsSync(join(head.directory, request.app)) && !existsSync(join(base.directory, request.app))) {
    return {
      head,
      withoutBase: `base (${chosen.label}) has no ${request.app} yet, so that there is nothing to compare with; only min-gain can gate`,
    }
  }
  return { head, base: { ...base, label: chosen.label } }
}

/** Removes the work trees from the repository's list. The directories themselves go with the job's scratch directory. */
export async function forgetWorkTrees(revisions: Revisions, workspace: string): Promise<void> {
  const git = new Git(workspace)
  for (const checkout of [revisions.head, revisions.base]) {
    if (checkout) await git.try('worktree', 'remove', '--force', checkout.directory)
  }
  await git.try('worktree', 'prune')
}

async function workTree(git: Git, request: RevisionRequest, revision: 'base' | 'head', commit: string): Promise<Checkout> {
  const directory = join(request.directory, revision)
  await git.run('worktree', 'add', '--quiet', '--force', '--detach', directory, commit)
  return { revision, directory, commit, label: commit.slice(0, 10) }
}

type Chosen = { commit: string; label: string } | { none: string }

async function baseline(git: Git, request: RevisionRequest, head: string): Promise<Chosen> {
  const { baseline: wanted, event } = request
  if (wanted === 'none') return { none: 'baseline is none' }
  if (wanted === 'latest-release' || (wanted === 'auto' && isRelease(event))) return newestTag(git, head)
  const ref = wanted === 'auto' ? await automatic(git, event) : wanted
  if (ref === undefined) return { none: 'there is no earlier commit to compare with' }
  const commit = await git.reach(ref)
  if (!commit)
    throw new InputError(
      `baseline: "${ref}" is not in this repository and could not be fetched. Allowed: auto, none, latest-release, or a branch, tag or commit of this repository. With actions/checkout, fetch-depth: 0 brings all of them.`,
    )
  return { commit, label: /^[0-9a-f]{40}$/.test(ref) ? ref.slice(0, 10) : ref }
}

function isRelease(event: Event): boolean {
  return event.name === 'release' || event.ref.startsWith('refs/tags/')
}

/** What `auto` compares with, by event. */
async function automatic(git: Git, event: Event): Promise<string | undefined> {
  switch (event.name) {
    case 'pull_request':
      // The checkout is a merge commit: its first parent is base, and the merge is what would land.
      return (await git.reach('HEAD^2')) ? 'HEAD^1' : event.payload.pull_request?.base?.sha
    case 'pull_request_target':
      throw new InputError(
        'pull_request_target runs with a token that can write, and this Action runs the code of the pull request: that would hand the token to it. Use pull_request.',
      )
    case 'merge_group':
      return event.payload.merge_group?.base_sha
    case 'push':
      return event.payload.before && !ZERO.test(event.payload.before) ? event.payload.before : undefined
    default:
      return onABranch(git)
  }
}

/** By hand, on a schedule: where this branch left the main one; on the main branch the commit before. */
async function onABranch(git: Git): Promise<string | undefined> {
  const head = await git.commit('HEAD')
  for (const main of ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master']) {
    const fork = await git.try('merge-base', 'HEAD', main)
    if (fork && fork !== head) return fork
  }
  return (await git.reach('HEAD^1')) ? 'HEAD^1' : undefined
}

/** The newest earlier tag that is an ancestor. */
async function newestTag(git: Git, head: string): Promise<Chosen> {
  if ((await git.try('rev-parse', '--is-shallow-repository')) === 'true')
    await git.try('fetch', '--quiet', '--tags', '--unshallow', 'origin')
  const tag = await git.try('describe', '--tags', '--abbrev=0', `${head}^`)
  const commit = tag ? await git.commit(tag) : undefined
  return tag && commit ? { commit, label: tag } : { none: 'there is no earlier tag to compare with' }
}
