/** Checks that a stranger's counts of instructions are those that the configuration asks for. R checks the numbers. Pure. */
import type { Config } from '../config/schema.ts'
import { COUNT_COLUMNS } from '../measure/instructions/counts.ts'
import { MOST_REPETITIONS } from '../plan/counting.ts'
import { MeasurementError } from '../system/errors.ts'
import { csvRows } from './csv-rows.ts'

/** The counts of one job. */
export interface CountsText {
  /** The job's name, from its artifact. */
  job: string
  /** Content of instructions.csv, or undefined if it is missing. */
  counts: string | undefined
}

/**
 * Copies under other numbers would narrow an interval, and a missing file would hide a loss.
 *
 * @throws MeasurementError naming what was found and what is expected
 */
export function checkCounts(jobs: readonly CountsText[], { instructions, profile }: Pick<Config, 'instructions' | 'profile'>): void {
  for (const { job, counts } of jobs) {
    const file = `instructions.csv of job ${job}`
    if (counts === undefined) {
      const wanting =
        profile === 'work'
          ? 'profile: work'
          : instructions === 'auto' || instructions === 'off'
            ? undefined
            : `instructions: ${instructions}`
      if (wanting) throw new MeasurementError(`${file}: missing, expected by the configuration (${wanting}).`)
      continue
    }
    if (instructions === 'off') throw new MeasurementError(`${file}: found, but the configuration has instructions: off.`)
    for (const row of csvRows(counts, COUNT_COLUMNS)) {
      if (row.job !== job) throw new MeasurementError(`${file}: found a count of job ${row.job}.`)
      if (Number(row.repetition) > MOST_REPETITIONS)
        throw new MeasurementError(`${file}: found repetition ${row.repetition}, a job has ${MOST_REPETITIONS} at most.`)
      if (instructions !== 'auto' && row.tool !== instructions)
        throw new MeasurementError(`${file}: found counts by ${row.tool}, expected ${instructions}.`)
    }
  }
}
