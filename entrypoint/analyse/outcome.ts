/** What a job ends with, and how a verdict becomes an exit code. Pure. */

import type { Analysis, Verdict } from '../config/experiment.ts'
import type { Config } from '../config/schema.ts'
import { EXIT } from '../system/errors.ts'

/** What the job does with a verdict. As the gate's keys, they are base's. */
export type Rules = Pick<Config, 'on-inconclusive' | 'accept-label'>

export interface Outcome {
  verdict: Verdict
  reasons: string[]
  /** Markdown. */
  summary: string
  exitCode: number
  analysis?: Analysis | undefined
  /** Absent where the job failed before base's configuration was read. */
  rules?: Rules | undefined
  /** Name of base, for people. */
  baseLabel?: string | undefined
  /** Somebody who may label pull requests took the regression of this commit upon themselves. */
  accepted?: { by: string; at: string } | undefined
}

export function exitCodeOf(verdict: Verdict): number {
  return { pass: EXIT.pass, 'not-gated': EXIT.pass, regressed: EXIT.regressed, invalid: EXIT.invalid, inconclusive: EXIT.inconclusive }[
    verdict
  ]
}

/** Whether the Action's job fails: an inconclusive verdict does as the configuration says. */
export function failsJob(outcome: Outcome, onInconclusive: Config['on-inconclusive']): boolean {
  if (outcome.accepted) return false
  return outcome.verdict === 'inconclusive' ? onInconclusive === 'fail' : outcome.exitCode !== EXIT.pass
}

/** A job that could not measure: it reports that, too. */
export function invalidOutcome(message: string): Outcome {
  const fence = '~~~'
  const text = message.replaceAll(fence, '~ ~ ~')
  return {
    verdict: 'invalid',
    reasons: [message],
    summary: `## ⛔ Invalid: this measurement cannot be trusted\n\n${fence}text\n${text}\n${fence}\n`,
    exitCode: EXIT.invalid,
  }
}

/** A regression that was accepted says so first, with who and when. */
export function withAcceptance(outcome: Outcome, accepted: Outcome['accepted']): Outcome {
  if (!accepted || outcome.verdict !== 'regressed') return outcome
  const who = accepted.by.replace(/[^A-Za-z0-9[\]-]/g, '?')
  return {
    ...outcome,
    accepted,
    summary: `> The regression was accepted by \`${who}\` at ${accepted.at}, for this commit only.\n\n${outcome.summary}`,
  }
}
