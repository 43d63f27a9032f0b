/** Output of the command line: results go to standard output, progress to standard error. Strangers' text is shown but never obeyed. */
import { harmless } from '../system/log.ts'

export function print(text: string): void {
  process.stdout.write(`${harmless(text)}\n`)
}

export function say(line: string): void {
  process.stderr.write(`${harmless(line)}\n`)
}
