// Checks the subjects of the branch's commits: at most 72 characters, no full stop. A clone without the history passes.
import { git, mergeBase } from './base.mjs'

const LONGEST = 72

/** On the base branch itself there is no branch to check, but its newest commits. */
const NEWEST = 20

const base = mergeBase()
const range = base === git('rev-parse', 'HEAD') ? [`--max-count=${NEWEST}`, 'HEAD'] : [`${base}..HEAD`]
const log = base && git('log', '--no-merges', '--format=%h %s', ...range)
if (log === undefined) console.log('this clone lacks the history of the base branch, so subjects are not checked')
const bad = (log ?? '').split('\n').flatMap((line) => {
  const [commit, ...words] = line.split(' ')
  const subject = words.join(' ')
  if (subject.length > LONGEST) return [`${commit}: found ${subject.length} characters, allowed: ${LONGEST}: ${subject}`]
  return subject.endsWith('.') ? [`${commit}: found a full stop at the end: ${subject}`] : []
})
for (const line of bad) console.error(line)
process.exitCode = bad.length ? 1 : 0
