/** What a job ends with, and how a verdict becomes an exit code. Pure. */
import type { Config } from './config.ts'
import { EXIT } from './errors.ts'
import type { Analysis, Verdict } from './types.ts'

export interface Outcome {
  verdict: Verdict
  reasons: string[]
  /** Markdown. */
  summary: string
  exitCode: number
  analysis?: Analysis | undefined
}

export function exitCodeOf(verdict: Verdict): number {
  return { pass: EXIT.pass, 'not-gated': EXIT.pass, regressed: EXIT.regressed, invalid: EXIT.invalid, inconclusive: EXIT.inconclusive }[
    verdict
  ]
}

/** Whether the Action's job fails: an inconclusive verdict does as the configuration says. */
export function failsJob(outcome: Outcome, onInconclusive: Config['on-inconclusive']): boolean {
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
