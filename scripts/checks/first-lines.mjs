// Reports sources that do not begin with a comment about their idea. In PHP it stands above the first declaration.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Lines that may stand above that comment: the shebang, PHP's opening, its namespace and imports. */
const ABOVE = /^(#!.*|<\?php|declare\(strict_types=1\);|namespace .*;|use .*;|require_once .*;|\s*)$/
/** Apps for tests and examples do not follow our rules. */
const FOREIGN = /^(dist|examples|entrypoint\/tests\/fixtures)\//

/** @returns {string | undefined} the line in place of the comment, or undefined if there is a comment */
export function firstOther(text) {
  const line = text.split('\n').find((each) => !ABOVE.test(each)) ?? ''
  return /^(\/\*\*?|\/\/|#)/.test(line) ? undefined : line
}

const given = process.argv.slice(2)
const files = given.length ? given : execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n')
let problems = 0
for (const file of files.filter((name) => /\.(ts|mjs|R|php|sh)$/.test(name) && !FOREIGN.test(name))) {
  const line = firstOther(readFileSync(file, 'utf8'))
  if (line === undefined) continue
  problems++
  console.error(`${file}: found "${line.slice(0, 60)}" where a comment should state the idea of the file`)
}
process.exitCode = problems ? 1 : 0
