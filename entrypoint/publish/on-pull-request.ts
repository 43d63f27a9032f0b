/** Applies the acceptance by a label to a pull request's verdict, and writes the comment. */
import type { Outcome } from '../analyse/outcome.ts'
import type { Rules } from '../config/rules.ts'
import { findAcceptance } from './accept.ts'
import type { Client, Repository } from './client.ts'
import type { Shown } from './comment.ts'
import { comment } from './comments.ts'
import { attempt } from './github.ts'
import { asksForComment, type LoudnessRules } from './loudness.ts'
import type { PullRequest } from './pull-request.ts'

/** The pull request and the settings for its acceptance and comment. */
export type CommentRules = LoudnessRules & Pick<Rules, 'accept-label' | 'accept-author'>

export interface Place {
  api: Client
  repository: Repository
  pull: PullRequest
  /** The comment's key. */
  key: string
  /** The run that measured. */
  run: number
  /** Base's rules. */
  rules: CommentRules
  say: (line: string) => void
}

/** @returns the outcome, accepted or not, and since when the comment has shown a regression of this commit */
export async function afterLabel(place: Place, outcome: Outcome): Promise<{ outcome: Outcome; since: string | undefined }> {
  const label = place.rules['accept-label']
  let result = { outcome, since: undefined as string | undefined }
  if (!label) return result
  await attempt('acceptance', 'issues: read, pull-requests: read', async () => {
    const { accepted, since } = await findAcceptance({ ...place, label, mayBeAuthor: place.rules['accept-author'] })
    result = { outcome: accepted && outcome.verdict === 'regressed' ? { ...outcome, accepted } : outcome, since }
  })
  return result
}

export async function showOn(place: Place, outcome: Outcome, since: string | undefined): Promise<void> {
  const { api, repository, rules } = place
  await attempt('comment', 'pull-requests: write', async () => {
    const mayCreate = asksForComment(outcome, rules)
    await comment(api, repository, { ...place, mayCreate }, outcome, await shownNow(place, outcome.verdict, since))
  })
}

/** The comment's record for the next run. Undefined if no label is configured, or if the pull request's head has moved on. */
async function shownNow(
  { api, repository, pull, rules }: Place,
  verdict: Shown['verdict'],
  since: string | undefined,
): Promise<Shown | undefined> {
  if (!rules['accept-label']) return undefined
  const { data } = await api.rest.pulls.get({ ...repository, pull_number: pull.number })
  return data.head.sha === pull.headSha ? { head: pull.headSha, verdict, regressed: since } : undefined
}
