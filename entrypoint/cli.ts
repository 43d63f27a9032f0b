#!/usr/bin/env node
/** The command line. The only place, besides main.ts, that ends the process. */
import { EXIT, messageOf } from './errors.ts'
import { runVerb } from './verbs.ts'

runVerb(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error) => {
    process.stderr.write(`${messageOf(error)}\n`)
    process.exit((error as { exitCode?: number }).exitCode ?? EXIT.invalid)
  },
)
