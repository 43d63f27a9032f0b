/** The pipeline of `report`: event -> pull request -> data (untrusted) -> analysis -> acceptance -> summary, comment, check. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { analyse } from './analyse/analyse.ts'
import { exitCodeOf, invalidOutcome, type Outcome, withAcceptance } from './analyse/outcome.ts'
import { say } from './bin/action.ts'
import type { Inputs } from './config/experiment.ts'
import { summaryIn } from './measure/run-record.ts'
import { provision } from './provision/provision.ts'
import { findAcceptance } from './publish/accept.ts'
import { downloadData } from './publish/artifacts.ts'
import { conclusionOf, createCheck } from './publish/check.ts'
import { type Client, client, type Repository, repositoryOf } from './publish/client.ts'
import {
  annotate,
  attempt,
  comment,
  eventPayload,
  type Payload,
  runLink,
  setOutputs,
  uploadResults,
  writeJobSummary,
} from './publish/github.ts'
import { headOf, isFork, type PullRequest, pullRequestOf, type WorkflowRun } from './publish/pull-request.ts'
import { merged, numbersOnly } from './publish/untrusted.ts'
import { InputError, messageOf } from './system/errors.ts'
import { withJob } from './system/job.ts'

/** The measurement that is reported. */
interface Measurement {
  runId: number
  headSha: string | undefined
  pullRequest: PullRequest | undefined
  isFork: boolean
}

export async function report(inputs: Inputs): Promise<Outcome> {
  if (!inputs.token) throw new InputError('github-token: report needs one, with actions: read and pull-requests: write')
  const api = client(inputs.token, say)
  const repository = repositoryOf(process.env.GITHUB_REPOSITORY)
  const key = inputs.config['comment-key']
  const label = inputs.config['accept-label']
  const measurement = await measurementOf(eventPayload(), api, repository)
  const { runId, headSha, pullRequest } = measurement

  let outcome = await judged(inputs, api, repository, runId, key)
  if (outcome.verdict === 'regressed' && pullRequest && label) {
    await attempt('acceptance', 'issues: read, actions: read', async () => {
      outcome = withAcceptance(outcome, await findAcceptance(api, repository, pullRequest, label))
    })
  }

  setOutputs(outcome, inputs.out)
  annotate(outcome)
  await attempt('job summary', 'contents: read', () => writeJobSummary(outcome))
  await attempt('artifact', 'actions: write', () => uploadResults(inputs.out, key))
  if (pullRequest) {
    await attempt('comment', 'pull-requests: write', () => comment(api, repository, pullRequest.number, key, runId, outcome))
  }
  if (headSha) {
    const conclusion = conclusionOf(outcome, inputs.config['on-inconclusive'], measurement.isFork)
    await attempt('check', 'checks: write', () => createCheck(api, repository, { key, headSha, outcome, conclusion, link: runLink(runId) }))
  }
  return outcome
}

async function measurementOf(payload: Payload, api: Client, repository: Repository): Promise<Measurement> {
  const run = payload.workflow_run
  if (run) {
    checkRun(run)
    const pullRequest = await pullRequestOf(api, repository, run)
    if (!pullRequest) say(`no open pull request has the head ${run.head_sha}; there is nowhere to comment`)
    return { runId: run.id, headSha: run.head_sha, pullRequest, isFork: isFork(run.head_repository?.full_name, repository) }
  }
  // In one workflow with the measuring jobs: the event is theirs.
  const origin = payload.pull_request?.head
  const fork = origin?.repo !== undefined && isFork(origin.repo?.full_name, repository)
  const head = headOf(payload.pull_request)
  const runId = Number(process.env.GITHUB_RUN_ID)
  const headSha = origin?.sha ?? process.env.GITHUB_SHA
  return {
    runId,
    headSha,
    isFork: fork,
    pullRequest: head && { ...head, isFork: fork },
  }
}

function checkRun(run: WorkflowRun): void {
  if (!Number.isInteger(run.id) || !/^[0-9a-f]{40}$/.test(run.head_sha))
    throw new InputError('workflow_run: the event names no run and no commit')
}

/** The verdict on what the measuring jobs left; what cannot be read is an invalid measurement, and is published like any other. */
async function judged(inputs: Inputs, api: Client, repository: Repository, runId: number, key: string): Promise<Outcome> {
  return withJob<Outcome>(say, async (job) => {
    try {
      const { rscript } = await provision(
        { engine: 'none', modes: [], database: 'none', report: true, composer: false },
        { yes: true, say: job.say },
      )
      const data = await downloadData(api, repository, runId, key, job.directory)
      const runs = data.flatMap(({ run }) => numbersOnly(run) ?? [])
      const run = runs.length === data.length ? merged(runs) : undefined
      const file = join(job.directory, 'run.json')
      if (run) writeFileSync(file, JSON.stringify(run))
      mkdirSync(inputs.out, { recursive: true })
      const analysis = await analyse({
        rscript: rscript as string,
        samples: data.map(({ samples }) => samples),
        out: inputs.out,
        run: run && file,
        modes: inputs.config.modes.map((mode) => (typeof mode === 'string' ? mode : mode.name)),
        gate: inputs.config.gate,
        looks: run?.looks ?? 1,
        report: true,
      })
      return {
        verdict: analysis.verdict,
        reasons: analysis.reasons,
        summary: summaryIn(inputs.out),
        exitCode: exitCodeOf(analysis.verdict),
        analysis,
      }
    } catch (error) {
      return invalidOutcome(messageOf(error))
    }
  })
}
