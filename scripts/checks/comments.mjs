// Reports sentences in comments that are too long, by the rule that Markdown follows, too.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { longSentencesOf, paragraphsOf } from './sentences.mjs'

/** Apps for tests and examples do not follow our rules. */
const FOREIGN = /^(dist|examples|entrypoint\/tests\/fixtures)\//

const given = process.argv.slice(2)
const files = given.length ? given : execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n')
let problems = 0
for (const file of files.filter((name) => /\.(ts|mjs|R|php|sh)$/.test(name) && !FOREIGN.test(name)))
  for (const paragraph of paragraphsOf(readFileSync(file, 'utf8')))
    for (const { text, words, line } of longSentencesOf(paragraph.text)) {
      problems++
      console.error(`${file}:${paragraph.line + line}: a sentence of ${words} words: "${text.slice(0, 60)}"`)
    }
process.exitCode = problems ? 1 : 0
