/** Whether a verdict is worth a new comment: `comment: always | on-change | on-alert`. Pure. */
import { failsJob, isWhollyGated, type Outcome } from '../analyse/outcome.ts'
import type { Rules } from '../config/rules.ts'

export type LoudnessRules = Pick<Rules, 'comment' | 'on-inconclusive' | 'on-not-gated'>

/**
 * GitHub notifies people of a new comment, but not of an edited one. So the setting decides only about new comments.
 *
 * A pull request begins in the state of base: a pass in every cell, without a warning.
 */
export function asksForComment(outcome: Outcome, rules: LoudnessRules): boolean {
  switch (rules.comment) {
    case 'always':
      return true
    case 'on-change':
      return !isPlainPass(outcome)
    case 'on-alert':
      return isAlert(outcome, rules)
  }
}

function isPlainPass(outcome: Outcome): boolean {
  const cells = outcome.analysis?.cells ?? []
  return outcome.verdict === 'pass' && isWhollyGated(outcome) && cells.every(({ verdict }) => verdict === 'pass') && !warns(outcome)
}

/** Whether somebody has to look. An accepted regression counts, because the comment says who accepted it. */
function isAlert(outcome: Outcome, rules: LoudnessRules): boolean {
  if (outcome.verdict === 'regressed' || outcome.verdict === 'invalid' || warns(outcome)) return true
  return failsJob(outcome, rules) || (!isWhollyGated(outcome) && rules['on-not-gated'] === 'warn')
}

/** Whether there is a proven rise of memory, or a loss of both modes, which the gain cannot show. Any verdict may have them. */
function warns({ analysis }: Outcome): boolean {
  return (analysis?.warnings ?? []).length > 0
}
