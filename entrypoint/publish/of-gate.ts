/** Publishes the history of pushes and releases, and a release's notes and assets. Only the gate's own job does so. */
import { relative } from 'node:path'
import * as core from '@actions/core'
import type { Outcome } from '../analyse/outcome.ts'
import type { Inputs } from '../config/inputs.ts'
import type { Rules } from '../config/rules.ts'
import { client, repositoryOf } from './client.ts'
import { attempt, say } from './github.ts'
import { appendHistory, recordOf } from './history.ts'
import { historyBranch } from './history-branch.ts'
import { eventPayload } from './payload.ts'
import { type GitHubPlace, publish } from './publish.ts'
import { pullRequestIn } from './pull-request.ts'
import { attachToRelease, releaseNotes } from './release.ts'

/** @returns the outcome, accepted or not */
export async function publishGate(measured: Outcome, rules: Rules, inputs: Inputs): Promise<Outcome> {
  const { token, out } = inputs
  core.setOutput('release-notes', releaseNotes(measured, measured.baseLabel))
  if (!token || !process.env.GITHUB_REPOSITORY) return publish(measured, { out, rules })
  const place = { api: client(token, say), repository: repositoryOf(process.env.GITHUB_REPOSITORY) }
  const github: GitHubPlace = {
    ...place,
    pull: pullRequestIn(eventPayload().pull_request),
    runId: Number(process.env.GITHUB_RUN_ID ?? 0),
    mayWrite: true,
    andThen: async (outcome) => {
      await keepHistory(place, outcome, rules, inputs)
      await attach(place, outcome, out)
    },
  }
  return publish(measured, { out, rules, github })
}

type Place = Pick<GitHubPlace, 'api' | 'repository'>

/** A pull request's gain is not part of the history. */
async function keepHistory({ api, repository }: Place, outcome: Outcome, rules: Rules, inputs: Inputs): Promise<void> {
  const asked = rules['history-branch']
  const record = recordOf(outcome, process.env.GITHUB_SHA ?? '', new Date())
  if (!asked || !record || eventPayload().pull_request) return
  await attempt('history', 'contents: write', async () => {
    const file = relative(process.env.GITHUB_WORKSPACE ?? inputs.workspace, inputs.source)
    const input = inputs.overrides['history-branch'] as string | undefined
    await appendHistory(api, repository, await historyBranch(api, repository, asked, file, input), rules['comment-key'], record)
  })
}

async function attach({ api, repository }: Place, { analysis }: Outcome, out: string): Promise<void> {
  const release = eventPayload().release?.id
  if (!release || !analysis || core.getInput('attach-to-release') !== 'true') return
  await attempt('release asset', 'contents: write', () => attachToRelease(api, repository, release, out))
}
