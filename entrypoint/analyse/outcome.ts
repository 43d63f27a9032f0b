/** The outcome of a job, and its exit code. Pure. */

import type { Rules } from '../config/rules.ts'
import { EXIT } from '../system/errors.ts'
import { visible } from '../system/log.ts'
import type { Analysis, Verdict } from './analyse.ts'

/** Of a summary: Markdown, in the order in which it is shown. */
export interface SummaryParts {
  /** What the data do not cover, in sentences. */
  gaps?: readonly string[]
  /** What R wrote, or why there is no analysis. */
  analysis: string
  /** Why runs failed, and where to look first. */
  details?: readonly string[]
}

export interface Outcome {
  verdict: Verdict
  reasons: string[]
  /** Of the summary; composeSummary() puts them together. */
  parts: SummaryParts
  exitCode: number
  analysis?: Analysis | undefined
  /** How many cells decided, of those that the rules ask for. */
  coverage?: { gated: number; of: number } | undefined
  /** Name of base, for people. */
  baseLabel?: string | undefined
  /** Somebody who may write to the repository took the regression of this commit upon themselves. */
  accepted?: { by: string; at: string } | undefined
}

export function exitCodeOf(verdict: Verdict): number {
  return { pass: EXIT.pass, 'not-gated': EXIT.pass, regressed: EXIT.regressed, invalid: EXIT.invalid, inconclusive: EXIT.inconclusive }[
    verdict
  ]
}

/** Whether the Action's job fails. The rules say it for verdicts that decide nothing. */
export function failsJob(outcome: Outcome, rules: Pick<Rules, 'on-inconclusive' | 'on-not-gated'>): boolean {
  if (outcome.accepted) return false
  if (outcome.verdict === 'inconclusive' && rules['on-inconclusive'] === 'fail') return true
  if (!isWhollyGated(outcome) && rules['on-not-gated'] === 'fail') return true
  return outcome.verdict !== 'inconclusive' && outcome.exitCode !== EXIT.pass
}

/** Whether every cell that the rules ask for took part in the verdict. */
export function isWhollyGated({ verdict, coverage }: Outcome): boolean {
  return verdict !== 'not-gated' && (coverage === undefined || coverage.gated === coverage.of)
}

const FENCE = '~~~'

/** A Markdown block that holds text of the app's, which cannot leave it. */
export function fenced(text: string): string {
  return `${FENCE}text\n${visible(text).replaceAll(FENCE, '~ ~ ~')}\n${FENCE}\n`
}

/** Characters: an annotation, a check and a comment hold it, with its end. */
const MESSAGE_LIMIT = 20_000

/** A job that could not measure: it reports that, too. The message may quote what an app printed. */
export function invalidOutcome(message: string): Outcome {
  const shown = visible(message.length > MESSAGE_LIMIT ? `${message.slice(0, MESSAGE_LIMIT)}\n… (cut here)` : message)
  return {
    verdict: 'invalid',
    reasons: [shown],
    parts: { analysis: `## ⛔ Invalid: this measurement cannot be trusted\n\n${fenced(shown)}` },
    exitCode: EXIT.invalid,
  }
}
