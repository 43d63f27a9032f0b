/** A check run on the head commit, so that branch protection can require the verdict. */

import { isWhollyGated, type Outcome } from '../analyse/outcome.ts'
import { composeSummary } from '../analyse/summary.ts'
import type { Rules } from '../config/rules.ts'
import { visible } from '../system/log.ts'
import type { Client, Repository } from './client.ts'
import { cut } from './cut.ts'

/** A required check is satisfied by `success`, `skipped` and `neutral`; `action_required` and `failure` block. */
export type Conclusion = 'success' | 'neutral' | 'failure' | 'action_required'

/** How far a verdict can be trusted, and for what. */
export interface Standing {
  /** A fork's code ran on the machine that wrote the data, so even a pass proves nothing. */
  isFork: boolean
  /** Other pull requests with the same head, for which this verdict was not measured. */
  others: readonly number[]
  /** The parts of the configuration and the plan that the data do not cover, in sentences. */
  gaps: readonly string[]
}

type Deciding = Pick<Rules, 'on-inconclusive' | 'on-not-gated'>

/** GitHub's limit of a check's summary, in characters. */
const LIMIT = 65_535
const TITLE_LIMIT = 200

/** Pure. */
export function conclusionOf(outcome: Outcome, rules: Deciding, { isFork, others, gaps }: Standing): Conclusion {
  const { verdict, accepted } = outcome
  if (verdict === 'invalid' || (verdict === 'regressed' && !accepted)) return 'failure'
  if (verdict === 'inconclusive' && rules['on-inconclusive'] === 'fail') return 'failure'
  if (!isWhollyGated(outcome) && !accepted && rules['on-not-gated'] === 'fail') return 'failure'
  if (isFork || others.length) return 'action_required'
  if (verdict === 'not-gated' || gaps.length) return 'neutral'
  return verdict === 'inconclusive' && rules['on-inconclusive'] === 'warn' ? 'neutral' : 'success'
}

export interface CheckRequest {
  key: string
  headSha: string
  outcome: Outcome
  rules: Deciding
  standing: Standing
  link: string
}

export async function createCheck(
  api: Client,
  repository: Repository,
  { key, headSha, outcome, rules, standing, link }: CheckRequest,
): Promise<void> {
  await api.rest.checks.create({
    ...repository,
    name: key === 'default' ? 'async gain' : `async gain (${key})`,
    head_sha: headSha,
    status: 'completed',
    conclusion: conclusionOf(outcome, rules, standing),
    ...(link ? { details_url: link } : {}),
    output: {
      title: titleOf(outcome, standing),
      summary: cut(composeSummary(outcome), LIMIT),
    },
  })
}

/** The title, on one line. Pure. */
export function titleOf({ verdict, accepted, reasons }: Outcome, { isFork, others }: Pick<Standing, 'isFork' | 'others'>): string {
  const words = [
    `${verdict}${accepted ? `, accepted by ${accepted.by}` : ''}`,
    ...(isFork ? ["not verified: the fork's code ran on the machine that measured this"] : []),
    ...(others.length ? [`not for ${others.map((number) => `#${number}`).join(', ')}, with the same head and another base`] : []),
  ]
  return cut(visible(`${words.join('; ')}: ${reasons[0] ?? ''}`).replace(/\s+/g, ' '), TITLE_LIMIT)
}
