// Every source says its idea before anything else: in a comment on its first line, in PHP above the first thing that it declares.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** What stands above the idea and says nothing: the shebang, PHP's opening, its namespace and imports. */
const ABOVE = /^(#!.*|<\?php|declare\(strict_types=1\);|namespace .*;|use .*;|require_once .*;|\s*)$/
/** Apps that stand for those of users are written as users write them. */
const FOREIGN = /^(dist|examples|entrypoint\/tests\/fixtures)\//

/** @returns {string | undefined} the line that stands where the idea should, or undefined if the idea is said */
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
  console.error(`${file}: found "${line.slice(0, 60)}" where a comment should say the idea of the file`)
}
process.exitCode = problems ? 1 : 0
