/** A label that accepts a regression of one commit, after the comment has shown it. A bot or the author cannot add it. */
import type { Client, Repository } from './client.ts'
import { type Comment, ownComment, shownIn } from './comment.ts'
import { commentsOf } from './comments.ts'
import type { PullRequest } from './pull-request.ts'

export interface Acceptance {
  by: string
  /** ISO 8601. */
  at: string
}

interface IssueEvent {
  event: string
  created_at: string
  actor: { login: string; type?: string } | null
  label?: { name?: string | null | undefined } | undefined
}

/** Events after which the pull request may have had another head or base in between. */
const MOVES = ['head_ref_force_pushed', 'head_ref_deleted', 'head_ref_restored', 'base_ref_changed', 'automatic_base_change_succeeded']

/** Who added the label that the pull request has now. Pure. */
export function labelledBy(events: readonly IssueEvent[], label: string): (Acceptance & { isBot: boolean }) | undefined {
  let current: (Acceptance & { isBot: boolean }) | undefined
  for (const { event, created_at: at, actor, label: named } of events) {
    if (named?.name !== label) continue
    const by = actor?.login ?? ''
    if (event === 'labeled') current = { by, at, isBot: !by || actor?.type === 'Bot' || by.endsWith('[bot]') }
    if (event === 'unlabeled') current = undefined
  }
  return current
}

/**
 * When the comment first showed that this commit has regressed, by the server's clock. The commit has been the head ever since.
 *
 * A branch that only moves forward never returns to a commit. So a later label is for this commit, unless one of MOVES came in
 * between. Pure.
 */
export function regressedSince(comment: Comment | undefined, head: string, events: readonly IssueEvent[]): string | undefined {
  const shown = shownIn(comment?.body ?? '')
  if (shown?.head !== head) return undefined
  const times = [shown.regressed, shown.verdict === 'regressed' ? comment?.updated_at : undefined]
  const moved = Math.max(0, ...events.filter(({ event }) => MOVES.includes(event)).map(({ created_at: at }) => Date.parse(at)))
  return times.find((time) => time !== undefined && Date.parse(time) > moved)
}

export interface Question {
  api: Client
  repository: Repository
  pull: PullRequest
  /** The comment's key. */
  key: string
  /** The run that measured. */
  run: number
  label: string
  /** `accept-author` of base. */
  mayBeAuthor: boolean
  say: (line: string) => void
}

export interface Answer {
  accepted: Acceptance | undefined
  /** When the regression of this commit was first shown. */
  since: string | undefined
}

/** Needs `issues: read` and `pull-requests: read`. @throws the API's errors */
export async function findAcceptance({ api, repository, pull, key, run, label, mayBeAuthor, say }: Question): Promise<Answer> {
  const events = (await api.paginate(api.rest.issues.listEvents, {
    ...repository,
    issue_number: pull.number,
    per_page: 100,
  })) as IssueEvent[]
  const since = regressedSince(await ownComment(commentsOf(api, repository, { pull, run }), key, run), pull.headSha, events)
  const put = labelledBy(events, label)
  if (!put) return { accepted: undefined, since }
  const refusal = await refusalOf()
  if (refusal) say(`the label "${label}" of ${put.by || 'somebody unknown'} at ${put.at} accepts nothing: ${refusal}`)
  return { accepted: refusal ? undefined : { by: put.by, at: put.at }, since }

  async function refusalOf(): Promise<string | undefined> {
    const { by, at, isBot } = put as NonNullable<typeof put>
    if (!since || Date.parse(at) <= Date.parse(since))
      return `it was not added after a regression of ${pull.headSha} had been published${since ? `, which was at ${since}` : ''}`
    if (isBot) return 'a bot cannot accept'
    if (!mayBeAuthor && ['', by.toLowerCase()].includes(pull.author.toLowerCase()))
      return 'the author of the pull request cannot accept it (accept-author is false)'
    const { data } = await api.rest.repos.getCollaboratorPermissionLevel({ ...repository, username: by })
    return ['admin', 'write'].includes(data.permission) ? undefined : `write permission is needed, found "${data.permission}"`
  }
}
