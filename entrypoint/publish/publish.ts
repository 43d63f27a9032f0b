/** Publishes a verdict, for both pipelines: acceptance, then summary, outputs, annotations, artifact and comment. */
import type { Outcome } from '../analyse/outcome.ts'
import { writeSummary } from '../analyse/summary.ts'
import type { Rules } from '../config/rules.ts'
import type { Client, Repository } from './client.ts'
import { annotate, attempt, say, setOutputs, uploadResults, writeJobSummary } from './github.ts'
import { afterLabel, type CommentRules, showOn } from './on-pull-request.ts'
import type { PullRequest } from './pull-request.ts'

export interface Destination {
  /** The folder of results. */
  out: string
  rules: CommentRules & Pick<Rules, 'comment-key'>
  /** Undefined if there is no token, or nothing to publish by the API. */
  github?: GitHubPlace | undefined
}

export interface GitHubPlace {
  api: Client
  repository: Repository
  /** Undefined if the verdict belongs to no pull request. */
  pull: PullRequest | undefined
  /** The run that measured. */
  runId: number
  mayWrite: boolean
  /** Publishes what only this pipeline has, at the end. */
  andThen: (outcome: Outcome) => Promise<void>
}

/** A failure to publish is a notice and changes no verdict. @returns the outcome, accepted or not */
export async function publish(found: Outcome, { out, rules, github }: Destination): Promise<Outcome> {
  const key = rules['comment-key']
  const place = github?.pull && { api: github.api, repository: github.repository, pull: github.pull, key, run: github.runId, rules, say }
  const { outcome, since } = place ? await afterLabel(place, found) : { outcome: found, since: undefined }
  writeSummary(outcome, out)
  setOutputs(outcome, out)
  annotate(outcome)
  await attempt('job summary', 'contents: read', () => writeJobSummary(outcome))
  await attempt('artifact', 'actions: write', () => uploadResults(out, key))
  if (!github?.mayWrite) return outcome
  if (place) await showOn(place, outcome, since)
  await github.andThen(outcome)
  return outcome
}
