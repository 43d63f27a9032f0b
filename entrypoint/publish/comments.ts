/** Reads and writes the comments of a pull request by GitHub's API. */
import * as core from '@actions/core'
import type { Outcome } from '../analyse/outcome.ts'
import { composeSummary } from '../analyse/summary.ts'
import type { Client, Repository } from './client.ts'
import { type CommentApi, postComment, renderComment, type Shown } from './comment.ts'
import { runLink } from './github.ts'
import type { PullRequest } from './pull-request.ts'
import { isSuperseded } from './superseded.ts'

/** The pull request, and the measurement that its comment shows. */
export interface Judgement {
  pull: Pick<PullRequest, 'number' | 'headSha'>
  /** The comment's key. */
  key: string
  /** The run that measured. The comment of a newer run is left alone. */
  run: number
  /** Whether a pull request without a comment gets one (default true). */
  mayCreate?: boolean
}

/** @param shown the record for the next run */
export async function comment(api: Client, repository: Repository, judgement: Judgement, outcome: Outcome, shown?: Shown): Promise<void> {
  const { key, run, mayCreate } = judgement
  const body = renderComment(key, run, composeSummary(outcome), runLink(run), shown)
  core.info(`comment: ${await postComment(commentsOf(api, repository, judgement), key, run, body, mayCreate)}`)
}

export function commentsOf(api: Client, repository: Repository, { pull, run }: Pick<Judgement, 'pull' | 'run'>): CommentApi {
  const issueOf = { ...repository, issue_number: pull.number }
  return {
    list: () => api.paginate(api.rest.issues.listComments, { ...issueOf, per_page: 100 }),
    create: async (body) => void (await api.rest.issues.createComment({ ...issueOf, body })),
    update: async (id, body) => void (await api.rest.issues.updateComment({ ...repository, comment_id: id, body })),
    // The job's own token belongs to an app, which may not ask for its login.
    author: () =>
      api.rest.users.getAuthenticated().then(
        ({ data }) => data.login,
        () => 'github-actions[bot]',
      ),
    isSuperseded: (runs) => isSuperseded(api, repository, pull, run, runs),
  }
}
