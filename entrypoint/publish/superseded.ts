/** Whether a newer run has judged a pull request. A comment may claim any run, so GitHub is asked. */
import type { Client, Repository } from './client.ts'
import type { PullRequest } from './pull-request.ts'

/**
 * If a run's commit is still the head of the pull request, only a later run of the same workflow and branch supersedes it. If
 * that is unknown, nothing does: two comments are better than a silenced verdict.
 *
 * @param own the run that measured
 * @param claimed runs that comments name, with higher numbers
 */
export async function isSuperseded(
  api: Client,
  repository: Repository,
  pull: Pick<PullRequest, 'number' | 'headSha'>,
  own: number,
  claimed: readonly number[],
): Promise<boolean> {
  if (!(await isCurrent(api, repository, pull))) return true
  const placeOf = async (run: number): Promise<string> => {
    const { data } = await api.rest.actions.getWorkflowRun({ ...repository, run_id: run })
    return JSON.stringify([data.workflow_id, data.event, data.head_branch, data.head_repository?.id])
  }
  try {
    const place = await placeOf(own)
    for (const run of claimed) if ((await placeOf(run).catch(() => undefined)) === place) return true
  } catch {
    // Without `actions: read` GitHub does not answer.
  }
  return false
}

/** Whether the commit is still the head. False if GitHub does not answer. */
async function isCurrent(
  api: Client,
  repository: Repository,
  { number, headSha }: Pick<PullRequest, 'number' | 'headSha'>,
): Promise<boolean> {
  const { data } = await api.rest.pulls.get({ ...repository, pull_number: number }).catch(() => ({ data: undefined }))
  return data?.head.sha === headSha
}
