/** Keeps the gains of each analysis on a branch, with a page that draws them. Off unless the configuration names a branch. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome } from '../analyse/outcome.ts'
import { type Client, orNothing, type Repository } from './client.ts'
import { historyPage } from './history-page.ts'
import type { HistoryRecord } from './history-record.ts'

/** The number of lines that are kept. */
const KEPT = 500
/** If two jobs push at once, the second one tries again on top of the first one's commit. */
const TRIES = 5
/** GitHub's status code for a repository without a commit. */
const EMPTY = 409

/** The record of an outcome, or undefined if no goodput was analysed: a gain in instructions is another figure. Pure. */
export function recordOf({ analysis, verdict }: Outcome, commit: string, time: Date): HistoryRecord | undefined {
  if (analysis?.metric !== 'goodput') return undefined
  return {
    time: time.toISOString(),
    commit,
    verdict,
    cells: analysis.cells.map(({ workload, load, gain_head: gain, change, change_low, change_high }) => ({
      cell: `${workload}/${load}`,
      gain,
      change,
      change_low,
      change_high,
    })),
  }
}

/** Adds a record as a line, and drops the oldest lines. Pure. */
export function appended(lines: string, record: HistoryRecord): string {
  const all = [...lines.split('\n').filter(Boolean), JSON.stringify(record)]
  return `${all.slice(-KEPT).join('\n')}\n`
}

/** Needs `contents: write`. @throws the API's errors */
export async function appendHistory(
  api: Client,
  repository: Repository,
  branch: string,
  key: string,
  record: HistoryRecord,
): Promise<void> {
  const ref = `heads/${branch}`
  const path = `async-php-bench/${key}.jsonl`
  for (let attempt = 1; ; attempt++) {
    const parent = await (await orNothing(api.rest.git.getRef({ ...repository, ref }), EMPTY))?.data.object.sha
    const base = parent && (await api.rest.git.getCommit({ ...repository, commit_sha: parent })).data.tree.sha
    const before = parent ? await orNothing(contentOf(api, repository, path, parent), EMPTY) : undefined
    const lines = appended(before ?? '', record)
    const tree = await api.rest.git.createTree({
      ...repository,
      ...(base ? { base_tree: base } : {}),
      tree: [
        { path, mode: '100644', type: 'blob', content: lines },
        { path: `async-php-bench/${key}.html`, mode: '100644', type: 'blob', content: historyPage(key, lines) },
      ],
    })
    const commit = await api.rest.git.createCommit({
      ...repository,
      message: `async-php-bench ${key}: ${record.verdict} at ${record.commit.slice(0, 10)}`,
      tree: tree.data.sha,
      parents: parent ? [parent] : [],
    })
    const { sha } = commit.data
    try {
      if (parent) await api.rest.git.updateRef({ ...repository, ref, sha, force: false })
      else await api.rest.git.createRef({ ...repository, ref: `refs/${ref}`, sha })
      return
    } catch (error) {
      const status = (error as { status?: number }).status
      if (attempt === TRIES || (status !== 409 && status !== 422)) throw error
      await sleep(200 * attempt)
    }
  }
}

async function contentOf(api: Client, repository: Repository, path: string, ref: string): Promise<string> {
  const { data } = await api.rest.repos.getContent({ ...repository, path, ref })
  if (Array.isArray(data) || data.type !== 'file') throw new Error(`${path} on the history branch is not a file`)
  if (data.content) return Buffer.from(data.content, 'base64').toString()
  // Content above 1 MiB is available only as a blob.
  const blob = await api.rest.git.getBlob({ ...repository, file_sha: data.sha })
  return Buffer.from(blob.data.content, 'base64').toString()
}
