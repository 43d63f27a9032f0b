/** Outputs, annotations, job summary and artifact of the job. A failure to publish is a notice and never changes the verdict. */
import { join } from 'node:path'
// Imported at the start, because the app could change the file once it runs.
import { DefaultArtifactClient } from '@actions/artifact'
import * as core from '@actions/core'
import type { Outcome } from '../analyse/outcome.ts'
import { composeSummary } from '../analyse/summary.ts'
import { messageOf } from '../system/errors.ts'
import { harmless } from '../system/log.ts'
import { cutBytes } from './cut.ts'
import { filesOf } from './files.ts'

/** Prints a line of progress to the job's log. */
export function say(line: string): void {
  core.info(harmless(line))
}

export function setOutputs(outcome: Outcome, out: string): void {
  const { analysis, accepted } = outcome
  core.setOutput('verdict', outcome.verdict)
  core.setOutput('exit-code', String(outcome.exitCode))
  core.setOutput('accepted-by', accepted?.by ?? '')
  core.setOutput('change', analysis?.pooled.change ?? '')
  core.setOutput('change-low', analysis?.pooled.change_low ?? '')
  core.setOutput('change-high', analysis?.pooled.change_high ?? '')
  core.setOutput('results', out)
  core.setOutput('report', join(out, 'report.html'))
}

/** Annotations on the page of the run. */
export function annotate(outcome: Outcome): void {
  const text = outcome.reasons.join('\n')
  const title = `async-php-bench: ${outcome.verdict}`
  if (outcome.accepted) core.warning(`${text}\nAccepted by ${outcome.accepted.by}.`, { title })
  else if (outcome.verdict === 'regressed' || outcome.verdict === 'invalid') core.error(text, { title })
  else if (outcome.verdict === 'inconclusive') core.warning(text, { title })
}

/** Bytes. GitHub drops a summary of more than 1 MiB per step. */
const SUMMARY_LIMIT = 1_000_000

export async function writeJobSummary(outcome: Outcome): Promise<void> {
  await core.summary.addRaw(cutBytes(composeSummary(outcome), SUMMARY_LIMIT)).write()
}

/** Does nothing if the machine has no artifact service, as outside Actions. */
export async function upload(name: string, files: string[], root: string): Promise<void> {
  if (!process.env.ACTIONS_RUNTIME_TOKEN || files.length === 0) return
  await new DefaultArtifactClient().uploadArtifact(name, files, root)
}

export async function uploadResults(out: string, key: string): Promise<void> {
  await upload(`async-php-bench-${key}`, filesOf(out), out)
}

/** Address of a workflow run's page. */
export function runLink(run: number | string | undefined): string {
  return `${process.env.GITHUB_SERVER_URL}/${process.env.GITHUB_REPOSITORY}/actions/runs/${run}`
}

/** Publishes something, or prints a notice with the reason and the missing permission. @returns whether it was published */
export async function attempt(what: string, permission: string, send: () => Promise<void>): Promise<boolean> {
  try {
    await send()
    return true
  } catch (error) {
    const status = (error as { status?: number }).status
    const hint =
      status === 401 || status === 403 || status === 404
        ? ` The job needs \`permissions: ${permission}\`; GitHub never grants it to a job that runs the code of a fork.`
        : ''
    core.notice(`async-php-bench: the ${what} could not be published: ${messageOf(error).replace(/\.$/, '')}.${hint} The verdict stands.`)
    return false
  }
}
