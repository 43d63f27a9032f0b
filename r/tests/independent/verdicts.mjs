// node r/tests/independent/verdicts.mjs FILE: a JSON list of jobs -> a line with the verdict of each, and the cells that are open.
import { readFileSync } from 'node:fs'
import { verdictOf } from './rule.mjs'

for (const job of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
  const { verdict, open } = verdictOf(job)
  console.log([verdict, ...open.toSorted()].join(' '))
}
