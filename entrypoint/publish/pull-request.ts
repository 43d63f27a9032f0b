/** The pull request that a run of the measuring workflow belongs to. The event's own list is empty for forks; the artifact is never asked. */
import type { Client, Repository } from './client.ts'
import type { Payload } from './github.ts'

/** The part of a workflow_run event that says where the code came from. */
export interface WorkflowRun {
  id: number
  event: string
  head_sha: string
  head_branch: string | null
  conclusion?: string | null
  head_repository: { full_name: string; owner: { login: string } } | null
}

/** The commit of a pull request, and where it comes from. */
export interface Head {
  number: number
  headSha: string
  branch: string
  /** owner/name */
  from: string
}

export interface PullRequest extends Head {
  /** From another repository: its code ran on the machine that wrote the data. */
  isFork: boolean
}

/** The open one with exactly this head, by repository, branch and commit; undefined where it has moved on or was closed. */
export async function pullRequestOf(api: Client, repository: Repository, run: WorkflowRun): Promise<PullRequest | undefined> {
  const { head_repository: from, head_branch: branch, head_sha: sha } = run
  if (!from || !branch) return undefined
  const open = await api.paginate(api.rest.pulls.list, {
    ...repository,
    state: 'open',
    head: `${from.owner.login}:${branch}`,
    per_page: 100,
  })
  const found = open.find(({ head }) => head.sha === sha && head.ref === branch && head.repo?.full_name === from.full_name)
  return (
    found && {
      number: found.number,
      headSha: sha,
      branch,
      from: from.full_name,
      isFork: isFork(from.full_name, repository),
    }
  )
}

export function isFork(fullName: string | undefined, { owner, repo }: Repository): boolean {
  return fullName?.toLowerCase() !== `${owner}/${repo}`.toLowerCase()
}

/** What an event of a pull request says of its head; undefined where it is another event, or its fork is gone. */
export function headOf(pullRequest: Payload['pull_request']): Head | undefined {
  const { number, head } = pullRequest ?? {}
  if (!number || !head?.sha || !head.ref || !head.repo?.full_name) return undefined
  return { number, headSha: head.sha, branch: head.ref, from: head.repo.full_name }
}
