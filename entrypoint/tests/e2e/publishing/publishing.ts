/** Publishes verdicts to an emulated GitHub, as a job does, and keeps what the job would say. */
import assert from 'node:assert/strict'
import { after, afterEach } from 'node:test'
import type { Verdict } from '../../../analyse/analyse.ts'
import { exitCodeOf, type Outcome } from '../../../analyse/outcome.ts'
import { type Client, client } from '../../../publish/client.ts'
import { type GitHubApi, startGitHub, TOKEN } from '../github-api.ts'

export const REPOSITORY = { owner: 'gate-bot', repo: 'app' }

export const outcome = (verdict: Verdict, summary = `## ${verdict}\n`): Outcome => ({
  verdict,
  reasons: ['because'],
  parts: { analysis: summary },
  exitCode: exitCodeOf(verdict),
})

export interface Publishing {
  api: GitHubApi
  client: Client
  say(line: string): void
  /** What was said in this test. */
  said(): string
  /** The number of a new issue, in place of a pull request. */
  newIssue(): Promise<number>
}

/** Starts the emulated GitHub for a test file, which also ends it. Every fault that a test asks for must happen. */
export async function startPublishing(): Promise<Publishing> {
  const api = await startGitHub()
  const environment = { GITHUB_API_URL: api.url, GITHUB_SERVER_URL: 'https://github.test', GITHUB_REPOSITORY: 'gate-bot/app' }
  Object.assign(process.env, environment)
  const lines: string[] = []
  const say = (line: string): void => void lines.push(line)
  after(() => api.close())
  afterEach(() => {
    const unmet = api.faults.filter(({ times }) => times > 0)
    api.faults = []
    lines.length = 0
    assert.deepEqual(unmet, [], 'every fault was met')
  })
  const newIssue = async (): Promise<number> => {
    const { data } = await api.call('POST', '/repos/gate-bot/app/issues', { title: 'a pull request' })
    return (data as { number: number }).number
  }
  return { api, client: client(TOKEN, say), say, said: () => lines.join('\n'), newIssue }
}

/** Returns what the work prints into the job's log. */
export async function noticed(work: () => Promise<unknown>): Promise<string> {
  const write = process.stdout.write
  let text = ''
  process.stdout.write = ((chunk: string | Uint8Array) => {
    text += chunk.toString()
    return true
  }) as typeof process.stdout.write
  try {
    await work()
  } finally {
    process.stdout.write = write
  }
  return text
}
