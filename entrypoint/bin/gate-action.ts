/** The Action: measures, judges, publishes. */
import { relative } from 'node:path'
import * as core from '@actions/core'
import { failsJob, invalidOutcome, type Outcome } from '../analyse/outcome.ts'
import type { Inputs } from '../config/inputs.ts'
import { type Rules, rulesOf } from '../config/rules.ts'
import { parseConfig } from '../config/schema.ts'
import { gate } from '../gate.ts'
import { client, repositoryOf } from '../publish/client.ts'
import { annotate, attempt, say, setOutputs, uploadResults, writeJobSummary } from '../publish/github.ts'
import { appendHistory, recordOf } from '../publish/history.ts'
import { historyBranch } from '../publish/history-branch.ts'
import { afterLabel, type Place, showOn } from '../publish/on-pull-request.ts'
import { eventPayload, startedBy } from '../publish/payload.ts'
import { pullRequestIn } from '../publish/pull-request.ts'
import { attachToRelease, releaseNotes } from '../publish/release.ts'
import { settle } from '../revisions/settle.ts'
import { messageOf } from '../system/errors.ts'
import { type Job, withJob } from '../system/job.ts'
import { fail, runAction } from './action.ts'

/** A job that failed before base's rules were known has those of the inputs alone: nothing that decides is head's. */
interface Judged {
  outcome: Outcome
  rules: Rules
}

runAction(async (inputs) => {
  const judged = await withJob<Judged>(say, (job) => judge(inputs, job))
  const outcome = await publish(judged, inputs)
  if (failsJob(outcome, judged.rules)) fail(`${outcome.verdict}: ${outcome.reasons.join(' ')}`)
})

async function judge(inputs: Inputs, job: Job): Promise<Judged> {
  let rules = rulesOf(parseConfig('', inputs.source, inputs.overrides))
  try {
    const settled = await settle(inputs, startedBy(), job)
    rules = settled.rules
    return { outcome: await gate(settled, inputs, job), rules }
  } catch (error) {
    return { outcome: invalidOutcome(messageOf(error)), rules }
  }
}

async function publish({ outcome: measured, rules }: Judged, inputs: Inputs): Promise<Outcome> {
  const payload = eventPayload()
  const { token, out } = inputs
  const key = rules['comment-key']
  const api = token && process.env.GITHUB_REPOSITORY ? client(token, say) : undefined
  const repository = api && repositoryOf(process.env.GITHUB_REPOSITORY)
  const pull = pullRequestIn(payload.pull_request)
  const run = Number(process.env.GITHUB_RUN_ID ?? 0)
  const place: Place | undefined = api && repository && pull && { api, repository, pull, key, run, rules, say }

  const { outcome, since } = place ? await afterLabel(place, measured) : { outcome: measured, since: undefined }
  setOutputs(outcome, out)
  core.setOutput('release-notes', releaseNotes(outcome, outcome.baseLabel))
  annotate(outcome)
  await attempt('job summary', 'contents: read', () => writeJobSummary(outcome))
  await attempt('artifact', 'actions: write', () => uploadResults(out, key))
  if (!api || !repository) return outcome
  if (place) await showOn(place, outcome, since)
  const asked = rules['history-branch']
  const record = recordOf(outcome, process.env.GITHUB_SHA ?? '', new Date())
  // A pull request's gain is no history yet.
  if (asked && record && !payload.pull_request) {
    await attempt('history', 'contents: write', async () => {
      const file = relative(process.env.GITHUB_WORKSPACE ?? inputs.workspace, inputs.source)
      const input = inputs.overrides['history-branch'] as string | undefined
      await appendHistory(api, repository, await historyBranch(api, repository, asked, file, input), key, record)
    })
  }
  const release = payload.release?.id
  if (release && core.getInput('attach-to-release') === 'true' && outcome.analysis) {
    await attempt('release asset', 'contents: write', () => attachToRelease(api, repository, release, out))
  }
  return outcome
}
