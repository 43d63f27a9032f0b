/** A label that accepts a regression: for the head commit that it was put on for, and no later one. */
import type { Client, Repository } from './client.ts'

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

/**
 * Who accepted this commit, if somebody did. Both times are the server's: when the label was put on, and when the first
 * workflow run of the commit began, which is when it was pushed. Dates of commits can be made up.
 *
 * Pure.
 */
export function acceptanceIn(events: readonly LabelEvent[], label: string, pushedAt: string): Acceptance | undefined {
  let current: Acceptance | undefined
  for (const { event, created_at: at, actor, label: named } of events) {
    if (named?.name !== label) continue
    if (event === 'labeled') current = { by: actor?.login ?? 'somebody', at }
    if (event === 'unlabeled') current = undefined
  }
  return current && Date.parse(current.at) >= Date.parse(pushedAt) ? current : undefined
}

/** @throws the API's errors: `issues: read` and `actions: read` are needed */
export async function findAcceptance(
  api: Client,
  repository: Repository,
  pullRequest: { number: number; headSha: string },
  label: string,
): Promise<Acceptance | undefined> {
  const events = await api.paginate(api.rest.issues.listEvents, { ...repository, issue_number: pullRequest.number, per_page: 100 })
  if (!events.some(({ event }) => event === 'labeled')) return undefined
  const runs = await api.paginate(api.rest.actions.listWorkflowRunsForRepo, { ...repository, head_sha: pullRequest.headSha, per_page: 100 })
  const first = runs.map(({ created_at }) => created_at).sort()[0]
  return first === undefined ? undefined : acceptanceIn(events as LabelEvent[], label, first)
}
