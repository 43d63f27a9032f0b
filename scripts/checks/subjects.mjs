// Checks the subjects of the branch's commits: at most 72 characters, no full stop. A clone without the history passes.
import { git, mergeBase } from './base.mjs'

const LONGEST = 72

const base = mergeBase()
const log = base && git('log', '--no-merges', '--format=%h %s', `${base}..HEAD`)
if (log === undefined) console.log('this clone lacks the history of the base branch, so subjects are not checked')
const bad = (log ?? '').split('\n').flatMap((line) => {
  const [commit, ...words] = line.split(' ')
  const subject = words.join(' ')
  if (subject.length > LONGEST) return [`${commit}: found ${subject.length} characters, allowed: ${LONGEST}: ${subject}`]
  return subject.endsWith('.') ? [`${commit}: found a full stop at the end: ${subject}`] : []
})
for (const line of bad) console.error(line)
process.exitCode = bad.length ? 1 : 0
