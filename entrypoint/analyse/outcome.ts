/** The outcome of a job, and its exit code. Pure. */

import type { Rules } from '../config/rules.ts'
import { Cancelled, EXIT, HeadFailed, messageOf } from '../system/errors.ts'
import { visible } from '../system/log.ts'
import type { Analysis, Verdict } from './analyse.ts'

/** The parts of a summary: Markdown, in the order in which they are shown. */
export interface SummaryParts {
  /** Sentences about what the data do not cover. */
  gaps?: readonly string[]
  /** R's text, or the reason why there is no analysis. */
  analysis: string
  /** Why runs failed, and the suspects of a regression. */
  details?: readonly string[]
}

export interface Outcome {
  verdict: Verdict
  reasons: string[]
  /** The parts of the summary. composeSummary() combines them. */
  parts: SummaryParts
  exitCode: number
  analysis?: Analysis | undefined
  /** How many of the cells that the rules ask for are gated. */
  coverage?: { gated: number; of: number } | undefined
  /** Base's name, for people. */
  baseLabel?: string | undefined
  /** Who accepted the regression of this commit, with write permission, and when. */
  accepted?: { by: string; at: string } | undefined
}

export function exitCodeOf(verdict: Verdict): number {
  return { pass: EXIT.pass, 'not-gated': EXIT.pass, regressed: EXIT.regressed, invalid: EXIT.invalid, inconclusive: EXIT.inconclusive }[
    verdict
  ]
}

/** Whether the Action's job fails. For verdicts that decide nothing, the rules say so. */
export function failsJob(outcome: Outcome, rules: Pick<Rules, 'on-inconclusive' | 'on-not-gated'>): boolean {
  if (outcome.accepted) return false
  if (outcome.verdict === 'inconclusive' && rules['on-inconclusive'] === 'fail') return true
  if (!isWhollyGated(outcome) && rules['on-not-gated'] === 'fail') return true
  return outcome.verdict !== 'inconclusive' && outcome.exitCode !== EXIT.pass
}

/** Whether every cell that the rules ask for was gated. */
export function isWhollyGated({ verdict, coverage }: Outcome): boolean {
  return verdict !== 'not-gated' && (coverage === undefined || coverage.gated === coverage.of)
}

const FENCE = '~~~'

/** A Markdown block for the app's text, which cannot close it. */
export function fenced(text: string): string {
  return `${FENCE}text\n${visible(text).replaceAll(FENCE, '~ ~ ~')}\n${FENCE}\n`
}

/** In characters. An annotation, a check and a comment each have room for it. */
const MESSAGE_LIMIT = 20_000

/** The outcome of a job that could not measure. The message may quote the app. */
export function invalidOutcome(message: string): Outcome {
  return withoutAnalysis('invalid', '⛔ Invalid: this measurement cannot be trusted', message)
}

/**
 * The outcome of a gate that threw. A head that fails alone has regressed; anything else is invalid.
 *
 * @param signal of the job: if it is aborted, commands failed because they were ended, which says nothing about the app
 */
export function thrownOutcome(error: unknown, signal?: AbortSignal): Outcome {
  if (signal?.aborted) return invalidOutcome(error instanceof Cancelled ? error.message : 'Cancelled before there was a verdict.')
  if (!(error instanceof HeadFailed)) return invalidOutcome(messageOf(error))
  return withoutAnalysis('regressed', `❌ Regressed: head ${error.failure.fault}`, error.message)
}

function withoutAnalysis(verdict: Verdict, title: string, message: string): Outcome {
  const shown = visible(message.length > MESSAGE_LIMIT ? `${message.slice(0, MESSAGE_LIMIT)}\n… (cut here)` : message)
  return { verdict, reasons: [shown], parts: { analysis: `## ${title}\n\n${fenced(shown)}` }, exitCode: exitCodeOf(verdict) }
}
