/** The comments of a pull request, as GitHub keeps them. */
import * as core from '@actions/core'
import type { Outcome } from '../analyse/outcome.ts'
import { composeSummary } from '../analyse/summary.ts'
import type { Client, Repository } from './client.ts'
import { type CommentApi, postComment, renderComment, type Shown } from './comment.ts'
import { runLink } from './github.ts'
import type { PullRequest } from './pull-request.ts'
import { isSuperseded } from './superseded.ts'

/** What a comment is of. */
export interface Judgement {
  pull: Pick<PullRequest, 'number' | 'headSha'>
  /** Of the comment. */
  key: string
  /** Of the measurement: a newer one's comment is left alone. */
  run: number
  /** Whether a pull request without a comment gets one; it does unless told otherwise. */
  mayCreate?: boolean
}

/** @param shown what the next run is to know of this one */
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
    // The job's own token belongs to an app, which may not ask who it is.
    author: () =>
      api.rest.users.getAuthenticated().then(
        ({ data }) => data.login,
        () => 'github-actions[bot]',
      ),
    isSuperseded: (runs) => isSuperseded(api, repository, pull, run, runs),
  }
}
