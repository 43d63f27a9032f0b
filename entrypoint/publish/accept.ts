/** A label that accepts a regression: for the head commit that it was put on for, and no other. */
import type { Client, Repository } from './client.ts'
import type { Head } from './pull-request.ts'

export interface Acceptance {
  by: string
  /** ISO 8601. */
  at: string
}

interface LabelEvent {
  event: string
  created_at: string
  actor: { login: string } | null
  label?: { name?: string | null | undefined } | undefined
}

/** A workflow run of the pull request's branch. */
interface BranchRun {
  event: string
  created_at: string
  head_sha: string
  head_repository: { full_name: string } | null
}

/** Events whose runs carry the commit that the branch had then. */
const OF_THE_BRANCH = ['pull_request', 'pull_request_target', 'push']

/** Who put the label on that is there now. Pure. */
export function labelledBy(events: readonly LabelEvent[], label: string): Acceptance | undefined {
  let current: Acceptance | undefined
  for (const { event, created_at: at, actor, label: named } of events) {
    if (named?.name !== label) continue
    if (event === 'labeled') current = { by: actor?.login ?? 'somebody', at }
    if (event === 'unlabeled') current = undefined
  }
  return current
}

/**
 * The commit that a branch had at a time, by its workflow runs, whose times are the server's: dates of commits can be made up.
 * The first run of a commit would not do: a commit that was there before can be pushed again after another one was accepted.
 *
 * Pure.
 *
 * @param from owner/name of the branch's repository; forks have branches of the same name
 */
export function commitAt(time: string, runs: readonly BranchRun[], from: string): string | undefined {
  return runs
    .filter(({ event, created_at, head_repository }) => {
      return OF_THE_BRANCH.includes(event) && head_repository?.full_name === from && Date.parse(created_at) <= Date.parse(time)
    })
    .sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))[0]?.head_sha
}

/** @throws the API's errors: `issues: read` and `actions: read` are needed */
export async function findAcceptance(api: Client, repository: Repository, head: Head, label: string): Promise<Acceptance | undefined> {
  const events = await api.paginate(api.rest.issues.listEvents, { ...repository, issue_number: head.number, per_page: 100 })
  const acceptance = labelledBy(events as LabelEvent[], label)
  if (!acceptance) return undefined
  const runs = await api.paginate(api.rest.actions.listWorkflowRunsForRepo, {
    ...repository,
    branch: head.branch,
    created: `<=${acceptance.at}`,
    per_page: 100,
  })
  return commitAt(acceptance.at, runs, head.from) === head.headSha ? acceptance : undefined
}
