/** Sends what the job found to GitHub. A failure here is a notice: it never changes the verdict. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as core from '@actions/core'
import { messageOf } from '../errors.ts'
import type { Outcome } from '../outcome.ts'
import { type CommentApi, postComment, renderComment } from './comment.ts'
import { filesOf } from './files.ts'

interface Payload {
  before?: string
  pull_request?: { number?: number; base?: { sha?: string } }
  merge_group?: { base_sha?: string }
}

export interface Destination {
  token: string
  commentKey: string
  /** GITHUB_EVENT_PATH's content. */
  payload: Payload
}

export async function publish(outcome: Outcome, out: string, to: Destination): Promise<void> {
  setOutputs(outcome, out)
  annotate(outcome)
  await attempt('job summary', async () => {
    // GitHub takes 1 MiB a step.
    await core.summary.addRaw(outcome.summary.slice(0, 1_000_000), true).write()
  })
  await attempt('artifact', () => upload(out, to.commentKey))
  await attempt('comment', () => comment(outcome, to))
}

function setOutputs(outcome: Outcome, out: string): void {
  const { analysis } = outcome
  core.setOutput('verdict', outcome.verdict)
  core.setOutput('exit-code', String(outcome.exitCode))
  core.setOutput('change', analysis?.pooled.change ?? '')
  core.setOutput('change-low', analysis?.pooled.change_low ?? '')
  core.setOutput('change-high', analysis?.pooled.change_high ?? '')
  core.setOutput('results', out)
  core.setOutput('report', join(out, 'report.html'))
}

function annotate(outcome: Outcome): void {
  const text = outcome.reasons.join('\n')
  const title = `async-php-bench: ${outcome.verdict}`
  if (outcome.verdict === 'regressed' || outcome.verdict === 'invalid') core.error(text, { title })
  else if (outcome.verdict === 'inconclusive') core.warning(text, { title })
}

async function upload(out: string, key: string): Promise<void> {
  if (!process.env.ACTIONS_RUNTIME_TOKEN) return
  const { DefaultArtifactClient } = await import('@actions/artifact')
  await new DefaultArtifactClient().uploadArtifact(`async-php-bench-${key}`, filesOf(out), out)
}

async function comment(outcome: Outcome, to: Destination): Promise<void> {
  const number = to.payload.pull_request?.number
  const repository = process.env.GITHUB_REPOSITORY
  if (!number || !to.token || !repository) return
  const run = Number(process.env.GITHUB_RUN_ID ?? 0)
  const link = `${process.env.GITHUB_SERVER_URL}/${repository}/actions/runs/${run}`
  const done = await postComment(
    await api(to.token, repository, number),
    to.commentKey,
    run,
    renderComment(to.commentKey, run, outcome.summary, link),
  )
  core.info(`comment: ${done}`)
}

async function api(token: string, repository: string, issue: number): Promise<CommentApi> {
  const { getOctokit } = await import('@actions/github')
  const octokit = getOctokit(token)
  const [owner, repo] = repository.split('/') as [string, string]
  const issueOf = { owner, repo, issue_number: issue }
  return {
    list: () => octokit.paginate(octokit.rest.issues.listComments, { ...issueOf, per_page: 100 }),
    create: async (body) => void (await octokit.rest.issues.createComment({ ...issueOf, body })),
    update: async (id, body) => void (await octokit.rest.issues.updateComment({ owner, repo, comment_id: id, body })),
    // The job's own token belongs to an app, which may not ask who it is.
    author: () =>
      octokit.rest.users.getAuthenticated().then(
        ({ data }) => data.login,
        () => 'github-actions[bot]',
      ),
  }
}

async function attempt(what: string, send: () => Promise<void>): Promise<void> {
  try {
    await send()
  } catch (error) {
    const status = (error as { status?: number }).status
    const hint =
      status === 403 || status === 404
        ? ' The job needs `permissions: pull-requests: write`; for pull requests from forks GitHub never gives it.'
        : ''
    core.notice(`async-php-bench: the ${what} could not be published: ${messageOf(error)}.${hint} The verdict stands.`)
  }
}

/** The payload of the event that started the job; empty outside GitHub. */
export function eventPayload(): Payload {
  const path = process.env.GITHUB_EVENT_PATH
  if (!path) return {}
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return {}
  }
}
