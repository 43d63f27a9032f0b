/** Whether a verdict is worth a new comment: `comment: always | on-change | on-alert`. Pure. */
import { failsJob, isWhollyGated, type Outcome } from '../analyse/outcome.ts'
import type { Rules } from '../config/rules.ts'

export type LoudnessRules = Pick<Rules, 'comment' | 'on-inconclusive' | 'on-not-gated'>

/**
 * GitHub notifies people of a new comment and not of an edited one. So this decides on a new one only.
 *
 * The state that a pull request begins with is that of base: a pass in every cell, with nothing to warn of.
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

/** What somebody has to look at. An accepted regression is one: the comment says who accepted it. */
function isAlert(outcome: Outcome, rules: LoudnessRules): boolean {
  if (outcome.verdict === 'regressed' || outcome.verdict === 'invalid' || warns(outcome)) return true
  return failsJob(outcome, rules) || (!isWhollyGated(outcome) && rules['on-not-gated'] === 'warn')
}

/** A proven rise of memory, or a loss that the gain is blind to, is named beside any verdict. */
function warns({ analysis }: Outcome): boolean {
  return (analysis?.warnings ?? []).length > 0
}
