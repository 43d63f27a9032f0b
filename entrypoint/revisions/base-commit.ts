/** Finds the commit that head is compared with. */
import { InputError } from '../system/errors.ts'
import { type Event, isRelease } from './event.ts'
import type { Git } from './git.ts'

export type Chosen = { commit: string; label: string } | { none: string }

/** For messages: the name and the commit, which may be the same. */
export function namedCommit({ label, commit }: { label: string; commit: string }): string {
  const short = commit.slice(0, 10)
  return label === short ? short : `${label} (${short})`
}

const ZERO = /^0+$/

/**
 * @param wanted auto, none, latest-release or a git revision
 * @throws InputError if the revision is not in the repository and cannot be fetched
 */
export async function baseCommit(git: Git, wanted: string, event: Event): Promise<Chosen> {
  if (wanted === 'none') return { none: 'baseline is none' }
  if (wanted === 'latest-release' || (wanted === 'auto' && isRelease(event))) return newestTag(git)
  const ref = wanted === 'auto' ? await baseOfEvent(git, event) : wanted
  if (ref === undefined) return { none: 'there is no earlier commit to compare with' }
  const commit = await git.reach(ref)
  if (!commit)
    throw new InputError(
      `baseline: "${ref}" is not in this repository and could not be fetched. Allowed: auto, none, latest-release, or a branch, tag or commit of this repository. With actions/checkout, fetch-depth: 0 fetches all of them.`,
    )
  return { commit, label: /^[0-9a-f]{40}$/.test(ref) ? ref.slice(0, 10) : ref }
}

/** The base that `auto` means. Its rules judge a pull request. */
export async function baseOfEvent(git: Git, event: Event): Promise<string | undefined> {
  switch (event.name) {
    case 'pull_request':
      return baseOfPullRequest(git, event)
    case 'pull_request_target':
      throw new InputError(
        'pull_request_target has a token that can write, and this Action runs the code of the pull request. The code would get the token. Use pull_request.',
      )
    case 'merge_group':
      return event.payload.merge_group?.base_sha
    case 'push':
      return event.payload.before && !ZERO.test(event.payload.before) ? event.payload.before : undefined
    default:
      return onABranch(git)
  }
}

/**
 * The first parent of GitHub's own merge commit, because that merge is what would land. The author of a pull request can choose the
 * parents of other merge commits, so only the event's commit is trusted.
 */
async function baseOfPullRequest(git: Git, { sha, payload }: Event): Promise<string | undefined> {
  const { base, head } = payload.pull_request ?? {}
  const isGithubsMerge =
    head?.sha !== undefined && sha !== '' && sha === (await git.commit('HEAD')) && (await git.reach('HEAD^2')) === head.sha
  return isGithubsMerge ? 'HEAD^1' : base?.sha
}

/** For schedules and manual runs: the commit where this branch left the main branch. On the main branch, the commit before. */
async function onABranch(git: Git): Promise<string | undefined> {
  const head = await git.commit('HEAD')
  for (const main of ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master']) {
    const fork = await git.try('merge-base', 'HEAD', main)
    if (fork && fork !== head) return fork
  }
  return (await git.reach('HEAD^1')) ? 'HEAD^1' : undefined
}

/** The newest earlier tag that is an ancestor. */
async function newestTag(git: Git): Promise<Chosen> {
  if ((await git.try('rev-parse', '--is-shallow-repository')) === 'true')
    await git.try('fetch', '--quiet', '--tags', '--unshallow', 'origin')
  const tag = await git.try('describe', '--tags', '--abbrev=0', 'HEAD^')
  const commit = tag ? await git.commit(tag) : undefined
  return tag && commit ? { commit, label: tag } : { none: 'there is no earlier tag to compare with' }
}
