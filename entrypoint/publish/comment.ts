/** The sticky comment: found by author and marker, updated in place. Rendering is pure. */
import type { Verdict } from '../analyse/analyse.ts'

import { cut } from './cut.ts'

/** GitHub's limit of a comment, in characters. */
export const COMMENT_LIMIT = 65_536

/** The first line of a comment: its key and the run that wrote it. */
export function marker(key: string, run: number): string {
  return `<!-- async-php-bench:${key} run:${run} -->`
}

/** The run that wrote the comment, or undefined if the comment has no such key. */
export function runOfComment(body: string, key: string): number | undefined {
  const match = /^<!-- async-php-bench:([a-z0-9._-]+) run:(\d+) -->/.exec(body)
  const run = Number(match?.[2])
  return match?.[1] === key && Number.isSafeInteger(run) ? run : undefined
}

/** A comment's record for the next run: a label accepts a regression only after a comment has shown it. */
export interface Shown {
  /** The commit that was the pull request's head. */
  head: string
  verdict: Verdict
  /** When `regressed` was first shown for this commit, by the server's clock. Absent if that is this comment's own time. */
  regressed?: string | undefined
}

/** The record is the last line of a comment, where no summary can forge it. */
function shownLine({ head, verdict, regressed }: Shown): string {
  return `<!-- head:${head} verdict:${verdict}${regressed ? ` regressed:${regressed}` : ''} -->\n`
}

/** The record in a comment, or undefined if it has none. */
export function shownIn(body: string): Shown | undefined {
  const last = body.trimEnd().split('\n').at(-1) ?? ''
  const [, head, verdict, regressed] = /^<!-- head:([0-9a-f]{40}) verdict:([a-z-]+)(?: regressed:([0-9TZ:.+-]+))? -->$/.exec(last) ?? []
  return head && verdict ? { head, verdict: verdict as Verdict, regressed } : undefined
}

/** The comment's text. If it is too long, it is cut at the end of a line; markers and link are kept. */
export function renderComment(key: string, run: number, summary: string, link: string, shown?: Shown): string {
  const head = `${marker(key, run)}\n`
  const foot = (link ? `\n[Report and raw data](${link})\n` : '\n') + (shown ? `\n${shownLine(shown)}` : '')
  const room = COMMENT_LIMIT - head.length - foot.length
  if (summary.length <= room) return head + summary + foot
  const note = '\n\n…cut here; the whole summary is in the job summary.\n'
  return head + cut(summary, room - note.length) + note + foot
}

export interface Comment {
  id: number
  body?: string | undefined
  /** By the server's clock, ISO 8601. */
  updated_at?: string | undefined
  user?: { login: string; type?: string } | null
}

/** The part of GitHub's API that a comment needs. */
export interface CommentApi {
  /** All comments of the pull request, over all pages. */
  list(): Promise<Comment[]>
  create(body: string): Promise<void>
  update(id: number, body: string): Promise<void>
  /** Login of the token's owner. */
  author(): Promise<string>
  /** Whether one of these runs, which comments name, may have judged the pull request after this run. */
  isSuperseded(runs: readonly number[]): Promise<boolean>
}

/**
 * The comments of a key by the token's own account, since others may be forged. A comment of this account can be forged, too, if another
 * workflow posts a stranger's text. It may claim any run.
 */
async function ownComments(api: Pick<CommentApi, 'list' | 'author'>, key: string): Promise<(Comment & { run: number })[]> {
  const author = await api.author()
  return (await api.list()).flatMap((comment) => {
    const run = comment.user?.login === author ? runOfComment(comment.body ?? '', key) : undefined
    return run === undefined ? [] : [{ ...comment, run }]
  })
}

/** The first comment that this run or an earlier one wrote. */
export async function ownComment(api: Pick<CommentApi, 'list' | 'author'>, key: string, run: number): Promise<Comment | undefined> {
  return (await ownComments(api, key)).find((comment) => comment.run <= run)
}

/**
 * Posts the comment. An existing one is always updated, so that an old alarm does not outlive its cause.
 *
 * @param mayCreate whether a pull request without a comment gets one
 * @returns what was done, for the log
 */
export async function postComment(
  api: CommentApi,
  key: string,
  run: number,
  body: string,
  mayCreate = true,
): Promise<'created' | 'updated' | 'newer-exists' | 'not-needed'> {
  const all = await ownComments(api, key)
  const newer = all.map((comment) => comment.run).filter((one) => one > run)
  if (newer.length && (await api.isSuperseded(newer))) return 'newer-exists'
  const existing = all.find((comment) => comment.run <= run)
  if (!existing && !mayCreate) return 'not-needed'
  if (!existing) {
    await api.create(body)
    return 'created'
  }
  await api.update(existing.id, body)
  return 'updated'
}
