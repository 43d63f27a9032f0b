/** A check run on the head commit, so that branch protection can require the verdict. */

import type { Outcome } from '../analyse/outcome.ts'
import type { Config } from '../config/schema.ts'
import { visible } from '../system/log.ts'
import type { Client, Repository } from './client.ts'
import { cut } from './cut.ts'

export type Conclusion = 'success' | 'neutral' | 'failure'

/** GitHub's limit of a check's summary, in characters. */
const LIMIT = 65_535
const TITLE_LIMIT = 200

/**
 * Pure. For a fork the check is advisory: the data were written by a machine on which the fork's code ran, so it says at best that
 * nothing was found.
 */
export function conclusionOf(outcome: Outcome, onInconclusive: Config['on-inconclusive'], isFork: boolean): Conclusion {
  if (outcome.accepted) return isFork ? 'neutral' : 'success'
  if (outcome.verdict === 'regressed' || outcome.verdict === 'invalid') return 'failure'
  if (outcome.verdict === 'inconclusive' && onInconclusive === 'fail') return 'failure'
  if (isFork || outcome.verdict === 'not-gated') return 'neutral'
  return outcome.verdict === 'inconclusive' && onInconclusive === 'warn' ? 'neutral' : 'success'
}

export interface CheckRequest {
  key: string
  headSha: string
  outcome: Outcome
  conclusion: Conclusion
  link: string
}

export async function createCheck(
  api: Client,
  repository: Repository,
  { key, headSha, outcome, conclusion, link }: CheckRequest,
): Promise<void> {
  await api.rest.checks.create({
    ...repository,
    name: key === 'default' ? 'async gain' : `async gain (${key})`,
    head_sha: headSha,
    status: 'completed',
    conclusion,
    ...(link ? { details_url: link } : {}),
    output: {
      title: titleOf(outcome),
      summary: cut(outcome.summary, LIMIT),
    },
  })
}

/** One line. Pure. */
export function titleOf({ verdict, accepted, reasons }: Outcome): string {
  const line = visible(`${verdict}${accepted ? `, accepted by ${accepted.by}` : ''}: ${reasons[0] ?? ''}`).replace(/\s+/g, ' ')
  return cut(line, TITLE_LIMIT)
}
