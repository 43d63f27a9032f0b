#!/usr/bin/env node
/** The command line: one verb, then its exit code. */
import { runVerb } from '../commands/verbs.ts'
import { EXIT, messageOf } from '../system/errors.ts'
import { harmless } from '../system/log.ts'
import { endOnSignals } from './signals.ts'

endOnSignals()
runVerb(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error) => {
    process.stderr.write(`${harmless(messageOf(error))}\n`)
    process.exit((error as { exitCode?: number }).exitCode ?? EXIT.invalid)
  },
)
