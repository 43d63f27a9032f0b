/** The Action: measures, judges, publishes. */
import * as core from '@actions/core'
import { failsJob, invalidOutcome, type Outcome, withAcceptance } from '../analyse/outcome.ts'
import type { Inputs } from '../config/experiment.ts'
import { gate } from '../gate.ts'
import { findAcceptance } from '../publish/accept.ts'
import { client, repositoryOf } from '../publish/client.ts'
import { annotate, attempt, comment, eventPayload, type Payload, setOutputs, uploadResults, writeJobSummary } from '../publish/github.ts'
import { appendHistory, recordOf } from '../publish/history.ts'
import { headOf } from '../publish/pull-request.ts'
import { attachToRelease, releaseNotes } from '../publish/release.ts'
import { messageOf } from '../system/errors.ts'
import { withJob } from '../system/job.ts'
import { runAction, say } from './action.ts'

runAction(async (inputs) => {
  const payload = eventPayload()
  const event = { name: process.env.GITHUB_EVENT_NAME ?? '', ref: process.env.GITHUB_REF ?? '', payload }
  const measured = await withJob<Outcome>(say, (job) =>
    gate(inputs, event, job).then(
      (done) => done as Outcome,
      (error) => invalidOutcome(messageOf(error)),
    ),
  )
  const outcome = await publish(measured, inputs, payload)
  if (failsJob(outcome, (outcome.rules ?? inputs.config)['on-inconclusive']))
    core.setFailed(`${outcome.verdict}: ${outcome.reasons.join(' ')}`)
})

async function publish(measured: Outcome, inputs: Inputs, payload: Payload): Promise<Outcome> {
  const { token, out } = inputs
  const key = inputs.config['comment-key']
  const api = token && process.env.GITHUB_REPOSITORY ? client(token, say) : undefined
  const repository = api && repositoryOf(process.env.GITHUB_REPOSITORY)
  const number = payload.pull_request?.number
  const head = headOf(payload.pull_request)
  const label = (measured.rules ?? inputs.config)['accept-label']

  let outcome = measured
  if (api && repository && head && label && measured.verdict === 'regressed') {
    await attempt('acceptance', 'issues: read, actions: read', async () => {
      outcome = withAcceptance(measured, await findAcceptance(api, repository, head, label))
    })
  }
  setOutputs(outcome, out)
  core.setOutput('release-notes', releaseNotes(outcome, outcome.baseLabel))
  annotate(outcome)
  await attempt('job summary', 'contents: read', () => writeJobSummary(outcome))
  await attempt('artifact', 'actions: write', () => uploadResults(out, key))
  if (!api || !repository) return outcome
  if (number) {
    const run = Number(process.env.GITHUB_RUN_ID ?? 0)
    await attempt('comment', 'pull-requests: write', () => comment(api, repository, number, key, run, outcome))
  }
  const branch = inputs.config['history-branch']
  const record = recordOf(outcome, process.env.GITHUB_SHA ?? '', new Date())
  // A pull request's gain is no history yet.
  if (branch && record && !number) {
    await attempt('history', 'contents: write', () => appendHistory(api, repository, branch, key, record))
  }
  const release = payload.release?.id
  if (release && core.getInput('attach-to-release') === 'true' && outcome.analysis) {
    await attempt('release asset', 'contents: write', () => attachToRelease(api, repository, release, out))
  }
  return outcome
}
