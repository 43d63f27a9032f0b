/** Masks the parts of answers that may differ, before they are compared. */
import { runInNewContext } from 'node:vm'
import { MeasurementError } from '../system/errors.ts'

/** A pattern that takes longer for one answer could run endlessly for another. */
const LIMIT_MS = 1000

/**
 * @param patterns regular expressions of the configuration
 * @throws MeasurementError if a pattern backtracks endlessly, because it must not hang the job
 */
export function masked(text: string, patterns: readonly string[], limitMs = LIMIT_MS): string {
  return patterns.reduce((before, pattern) => {
    try {
      return runInNewContext('text.replace(new RegExp(pattern, "g"), "*")', { text: before, pattern }, { timeout: limitMs }) as string
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      throw new MeasurementError(
        `mask ${JSON.stringify(pattern)} took more than ${limitMs} ms for a response of ${before.length} characters. Write it without nested repetitions.`,
      )
    }
  }, text)
}
