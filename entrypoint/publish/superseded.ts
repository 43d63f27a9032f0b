/** Whether a newer run has judged a pull request: a comment may claim any, so GitHub is asked. */
import type { Client, Repository } from './client.ts'
import type { PullRequest } from './pull-request.ts'

/**
 * A run whose commit is still the head of the pull request gives way only to a later run of the same workflow on the same branch. Where that
 * cannot be known, it does not: two comments are better than a verdict that is silenced.
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
    // Without `actions: read` nothing is known of runs.
  }
  return false
}

/** False where it cannot be known. */
async function isCurrent(
  api: Client,
  repository: Repository,
  { number, headSha }: Pick<PullRequest, 'number' | 'headSha'>,
): Promise<boolean> {
  const { data } = await api.rest.pulls.get({ ...repository, pull_number: number }).catch(() => ({ data: undefined }))
  return data?.head.sha === headSha
}
