/** The pull request or event that was measured. GitHub is asked for it, because the event's own list is empty for forks. */
import { InputError } from '../system/errors.ts'
import type { Client, Repository } from './client.ts'
import type { Payload, WorkflowRun } from './payload.ts'

/** The parts of a pull request that are used. */
export interface PullRequest {
  number: number
  headSha: string
  /** The base branch. */
  base: string
  /** The author's login. */
  author: string
  /** GitHub's own test merge, if the API names it. */
  mergeSha?: string | null | undefined
}

/** The commit that must have been measured, and the pull requests that it may belong to. */
export interface Subject {
  runId: number
  headSha: string
  /** Whether the code is from another repository. It ran on the machine that wrote the data. */
  isFork: boolean
  /** The open pull requests that may have been measured; undefined if the event belongs to none. */
  pulls: PullRequest[] | undefined
  /** The base that the event itself names, if it belongs to no pull request. */
  before?: string | undefined
}

/** @param env the job's environment @throws InputError if the event names no run and no commit */
export async function subjectOf(payload: Payload, env: NodeJS.ProcessEnv, api: Client, repository: Repository): Promise<Subject> {
  const run = payload.workflow_run
  if (run) {
    if (!Number.isInteger(run.id) || !/^[0-9a-f]{40}$/.test(run.head_sha))
      throw new InputError('workflow_run: the event names no run and no commit')
    const ofFork = isFork(run.head_repository?.full_name, repository)
    const pulls = run.event === 'pull_request' ? await pullRequestsOf(api, repository, run) : undefined
    return { runId: run.id, headSha: run.head_sha, isFork: ofFork, pulls }
  }
  // In the same workflow as the measuring jobs, so it has their event.
  const runId = Number(env.GITHUB_RUN_ID)
  const pull = payload.pull_request
  if (!pull) {
    const before = payload.merge_group?.base_sha ?? payload.before
    return { runId, headSha: env.GITHUB_SHA ?? '', isFork: false, pulls: undefined, before }
  }
  const known = pullRequestIn(pull)
  if (!known?.headSha || !known.base) throw new InputError('pull_request: the event names no number, head or base')
  return { runId, headSha: known.headSha, isFork: isFork(pull.head?.repo?.full_name, repository), pulls: [known] }
}

/** The open pull requests with exactly this head: repository, branch and commit. None if the branch moved on or they were closed. */
async function pullRequestsOf(api: Client, repository: Repository, run: WorkflowRun): Promise<PullRequest[]> {
  const { head_repository: from, head_branch: branch, head_sha: sha } = run
  if (!from || !branch) return []
  const open = await api.paginate(api.rest.pulls.list, {
    ...repository,
    state: 'open',
    head: `${from.owner.login}:${branch}`,
    per_page: 100,
  })
  return open
    .filter(({ head }) => head.sha === sha && head.ref === branch && head.repo?.full_name === from.full_name)
    .map((pull) => ({
      number: pull.number,
      headSha: sha,
      base: pull.base.ref,
      author: pull.user?.login ?? '',
      mergeSha: pull.merge_commit_sha,
    }))
}

/** The pull request that an event names, with the fields that it has; undefined for any other event. */
export function pullRequestIn(pullRequest: Payload['pull_request']): PullRequest | undefined {
  const { number, head, base, user } = pullRequest ?? {}
  return number ? { number, headSha: head?.sha ?? '', base: base?.ref ?? '', author: user?.login ?? '' } : undefined
}

export function isFork(fullName: string | undefined, { owner, repo }: Repository): boolean {
  return fullName?.toLowerCase() !== `${owner}/${repo}`.toLowerCase()
}

/** Branches of this repository that have this commit as their head. */
export async function branchesAt(api: Client, repository: Repository, commit: string): Promise<string[]> {
  const { data } = await api.rest.repos.listBranchesForHeadCommit({ ...repository, commit_sha: commit })
  return data.map(({ name }) => name)
}

/** Other open pull requests between branches of this repository with this head. A check on the commit counts for them, too. */
export async function othersAt(api: Client, repository: Repository, commit: string, pull: PullRequest | undefined): Promise<number[]> {
  const all = await api.paginate(api.rest.repos.listPullRequestsAssociatedWithCommit, { ...repository, commit_sha: commit, per_page: 100 })
  return all
    .filter(({ state, head }) => state === 'open' && head.sha === commit && !isFork(head.repo?.full_name, repository))
    .filter(({ number, base }) => number !== pull?.number && base.ref !== pull?.base)
    .map(({ number }) => number)
}
