/** The sticky comment: found by author and marker, updated in place. Rendering is pure. */

import { cut } from './cut.ts'

/** What GitHub takes in one comment, in characters. */
export const COMMENT_LIMIT = 65_536

/** Names the comment, and the run that wrote it. */
export function marker(key: string, run: number): string {
  return `<!-- async-php-bench:${key} run:${run} -->`
}

/** The run that wrote a comment of this key, or undefined if it is none. */
export function runOfComment(body: string, key: string): number | undefined {
  const match = /^<!-- async-php-bench:([a-z0-9._-]+) run:(\d+) -->/.exec(body)
  const run = Number(match?.[2])
  return match?.[1] === key && Number.isSafeInteger(run) ? run : undefined
}

/** The comment's text: cut at a line where it is too long, with marker and link kept. */
export function renderComment(key: string, run: number, summary: string, link: string): string {
  const head = `${marker(key, run)}\n`
  const foot = link ? `\n[Report and raw data](${link})\n` : '\n'
  const room = COMMENT_LIMIT - head.length - foot.length
  if (summary.length <= room) return head + summary + foot
  const note = '\n\n…cut here; the whole summary is in the job summary.\n'
  return head + cut(summary, room - note.length) + note + foot
}

interface Comment {
  id: number
  body?: string | undefined
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
}

/** @returns what was done, for the log */
export async function postComment(
  api: CommentApi,
  key: string,
  run: number,
  body: string,
): Promise<'created' | 'updated' | 'newer-exists'> {
  const author = await api.author()
  const own = (await api.list()).filter((comment) => comment.user?.login === author)
  const existing = own.find((comment) => runOfComment(comment.body ?? '', key) !== undefined)
  if (!existing) {
    await api.create(body)
    return 'created'
  }
  if ((runOfComment(existing.body ?? '', key) as number) > run) return 'newer-exists'
  await api.update(existing.id, body)
  return 'updated'
}
