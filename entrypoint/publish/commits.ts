/** Checks with GitHub that the commits in the data are those of the pull request or event that is judged. */
import type { Config } from '../config/schema.ts'
import { MeasurementError } from '../system/errors.ts'
import { type Client, orNothing, type Repository } from './client.ts'
import type { PullRequest } from './pull-request.ts'
import type { Commits } from './untrusted.ts'

/** GitHub's status code for a commit that cannot exist in the repository. */
const UNKNOWN = 422

/** What the default branch's configuration says about the comparison. */
export interface Expected {
  baseline: Config['baseline']
  /** The entry file or front script, relative to the repository's root. */
  entry: string
  /** The configuration file, relative to the repository's root. */
  file: string
}

/**
 * The pull request that was measured. Several may have the same head: they differ in their base.
 *
 * @throws MeasurementError if the commits belong to none of these pull requests, or to several
 */
export async function measuredPullRequest(
  api: Client,
  repository: Repository,
  commits: Commits,
  pulls: readonly PullRequest[],
  expected: Expected,
): Promise<PullRequest> {
  const refusals = await Promise.all(pulls.map((pull) => refusalOf(api, repository, commits, pull, expected)))
  const fitting = pulls.filter((_, i) => refusals[i] === undefined)
  const [only, another] = fitting
  if (!only) throw new MeasurementError(refusals.join('\n'))
  if (!another) return only
  const exact = fitting.filter(({ mergeSha }) => mergeSha === commits.head)
  if (exact.length === 1) return exact[0] as PullRequest
  throw new MeasurementError(
    `run.json: commits: they match the pull requests ${fitting.map(({ number, base }) => `#${number} (into ${base})`).join(' and ')}, which have the same head. The data do not show which one was measured, so none gets the verdict.`,
  )
}

/** Why these commits are not the pull request's: what was found and what was expected. */
async function refusalOf(
  api: Client,
  repository: Repository,
  { head, base }: Commits,
  pull: PullRequest,
  expected: Expected,
): Promise<string | undefined> {
  const whose = `of pull request #${pull.number}`
  if (head === base) return `run.json: commits: base and head are both ${head}, so nothing was compared. Expected base and head ${whose}.`
  if (head !== pull.headSha) {
    const parents = await parentsOf(api, repository, head)
    const [first, second] = parents ?? []
    if (parents?.length !== 2 || second !== pull.headSha)
      return `run.json: commits.head: found ${head}${parents ? ` with the parents ${parents.join(', ') || 'none'}` : ', which GitHub does not know'}; expected the head ${whose}, ${pull.headSha}, or its merge into ${pull.base}.`
    if (base !== null && expected.baseline === 'auto' && first !== base)
      return `run.json: commits.base: found ${base}, expected the first parent of the merge that was measured, ${first}.`
    if (!(await isOn(api, repository, first as string, pull.base)))
      return `run.json: commits.head: found the merge ${head}, whose first parent ${first} is not on ${pull.base}; expected a merge of ${pull.headSha} into ${pull.base}.`
  }
  if (base === null) {
    const isExpected = expected.baseline === 'none' || (await lacksAny(api, repository, pull.base, [expected.entry, expected.file]))
    return isExpected ? undefined : `run.json: commits.base: found none, expected a commit of ${pull.base}.`
  }
  if (!(await isOn(api, repository, base, pull.base)))
    return `run.json: commits.base: found ${base}, expected the tip of ${pull.base} at the time of the run, or an ancestor of it.`
  if (expected.baseline !== 'auto') return undefined
  // Whoever made the head can name an older base, or merge one, where the app was still slow. A head that has nothing in common with the
  // branch cannot be merged.
  const left = (await compare(api, repository, pull.base, pull.headSha))?.merge_base_commit.sha
  if (left !== undefined && !(await isOn(api, repository, left, base)))
    return `run.json: commits.base: found ${base}, which is older than ${left}, where the head ${whose} left ${pull.base}. Expected the tip of ${pull.base} at the time of the run.`
  return undefined
}

/**
 * Checks the commits of an event other than a pull request's.
 *
 * @param head the commit of the event
 * @param before the base that the event itself names; any other base must be an ancestor of head
 * @throws MeasurementError if the commits differ
 */
export async function checkEventCommits(
  api: Client,
  repository: Repository,
  { head: found, base }: Commits,
  head: string,
  before: string | undefined,
): Promise<void> {
  if (found !== head) throw new MeasurementError(`run.json: commits.head: found ${found}, expected the commit of the event, ${head}.`)
  if (base === head) throw new MeasurementError(`run.json: commits: base and head are both ${head}, so nothing was compared.`)
  if (base !== null && base !== before && !(await isOn(api, repository, base, head)))
    throw new MeasurementError(`run.json: commits.base: found ${base}, expected ${before ? `${before} or ` : ''}an ancestor of ${head}.`)
}

async function parentsOf(api: Client, repository: Repository, commit: string): Promise<string[] | undefined> {
  const found = await orNothing(api.rest.git.getCommit({ ...repository, commit_sha: commit }), UNKNOWN)
  return found?.data.parents.map(({ sha }) => sha)
}

/** Whether a commit is the tip of a branch (or another commit), or an ancestor of it. */
async function isOn(api: Client, repository: Repository, commit: string, tip: string): Promise<boolean> {
  const compared = await compare(api, repository, commit, tip)
  return compared !== undefined && ['ahead', 'identical'].includes(compared.status)
}

type Comparison = Awaited<ReturnType<Client['rest']['repos']['compareCommitsWithBasehead']>>['data']

/** @returns undefined if GitHub does not know one of them, or they have nothing in common */
async function compare(api: Client, repository: Repository, one: string, other: string): Promise<Comparison | undefined> {
  const request = { ...repository, basehead: `${one}...${other}`, per_page: 1 }
  return (await orNothing(api.rest.repos.compareCommitsWithBasehead(request), UNKNOWN))?.data
}

async function lacksAny(api: Client, repository: Repository, ref: string, paths: string[]): Promise<boolean> {
  const found = await Promise.all(paths.map((path) => orNothing(api.rest.repos.getContent({ ...repository, path, ref }))))
  return found.includes(undefined)
}
