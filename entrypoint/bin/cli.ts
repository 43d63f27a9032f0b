#!/usr/bin/env node
import { runVerb } from '../commands/verbs.ts'
/** The command line. The only place, besides main.ts, that ends the process. */
import { EXIT, messageOf } from '../system/errors.ts'
import { harmless } from '../system/log.ts'

runVerb(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error) => {
    process.stderr.write(`${harmless(messageOf(error))}\n`)
    process.exit((error as { exitCode?: number }).exitCode ?? EXIT.invalid)
  },
)
