/** Shows in the summary why runs failed. Log and response are the app's text, so their block cannot be closed by them. Pure. */
import { describeFailure, type FailedRun } from '../measure/failure.ts'
import { visible } from '../system/log.ts'
import { fenced } from './outcome.ts'

/** Characters of one arm's failure. A comment has room for all arms. */
const SHOWN = 6000

/** A Markdown block for the end of a summary. */
export function whyRunsFailed(failures: readonly FailedRun[]): string {
  const text = failures.map((failure) => describeFailure(failure).slice(0, SHOWN)).join('\n\n')
  return `\n<details open><summary>Why runs failed</summary>\n\n${fenced(text)}\n</details>\n`
}

/** On one line, for an annotation. */
export function failureInALine(failure: FailedRun): string {
  const [first, ...log] = visible(describeFailure(failure)).split('\n') as [string, ...string[]]
  return log.length > 1 ? `${first} The log ends with: ${log.at(-1)}` : first
}
