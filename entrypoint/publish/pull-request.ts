/** The pull request that a run of the measuring workflow belongs to. The event's own list is empty for forks; the artifact is never asked. */
import type { Client, Repository } from './client.ts'

/** The part of a workflow_run event that says where the code came from. */
export interface WorkflowRun {
  id: number
  event: string
  head_sha: string
  head_branch: string | null
  conclusion?: string | null
  head_repository: { full_name: string; owner: { login: string } } | null
}

export interface PullRequest {
  number: number
  headSha: string
  labels: string[]
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
      labels: found.labels.map(({ name }) => name),
      isFork: isFork(from.full_name, repository),
    }
  )
}

export function isFork(fullName: string | undefined, { owner, repo }: Repository): boolean {
  return fullName?.toLowerCase() !== `${owner}/${repo}`.toLowerCase()
}
