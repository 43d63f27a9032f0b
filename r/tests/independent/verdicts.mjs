// node r/tests/independent/verdicts.mjs FILE: a JSON list of jobs -> a line with the verdict of each.
import { readFileSync } from 'node:fs'
import { verdictOf } from './rule.mjs'

for (const job of JSON.parse(readFileSync(process.argv[2], 'utf8'))) console.log(verdictOf(job))
