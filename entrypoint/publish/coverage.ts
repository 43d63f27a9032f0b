/** Checks that a stranger's data cover the configuration: its cells, modes and blocks, under its conditions. Pure. */
import type { Config } from '../config/schema.ts'
import { COUNT_COLUMNS } from '../measure/instructions/counts.ts'
import { COUNTS, SAMPLES } from '../measure/run-record.ts'
import { COLUMNS } from '../measure/samples.ts'
import { MeasurementError } from '../system/errors.ts'
import { csvRows } from './csv-rows.ts'
import type { TrustedRun } from './untrusted.ts'

/** A job's data: the text of its samples.csv beside its run.json. */
export interface JobText {
  /** The job's name, from its artifact. */
  job: string
  samples: string
  /** The text of its instructions.csv, if there is one. */
  counts?: string | undefined
  run: TrustedRun
}

export type Row = Record<(typeof COLUMNS)[number], string>

/** The rows of a samples.csv. R has refused a file without all columns. */
export function rowsOf(csv: string): Row[] {
  return csvRows(csv, COLUMNS) as Row[]
}

const nameOf = (entry: string | { name: unknown }): string => (typeof entry === 'string' ? entry : String(entry.name))

/** Names of the modes, in order. */
export function modeNames(config: Config): string[] {
  return config.modes.map(nameOf)
}

/** Compares the measuring conditions with the configuration. @throws MeasurementError naming what was found and what is expected */
export function checkConditions(jobs: readonly JobText[], config: Config): void {
  for (const { job, run } of jobs) {
    const pairs: [string, unknown, unknown][] = [
      ['job', run.job, job],
      ['modes', run.modes.join(', '), modeNames(config).join(', ')],
      ['connections', run.connections, config.connections],
      ['instances', run.instances, config.instances],
    ]
    for (const [key, found, expected] of pairs)
      if (found !== expected)
        throw new MeasurementError(
          `run.json of job ${run.job}: ${key}: found ${found}, expected ${expected}${key === 'job' ? ' by the name of its artifact' : ', from the configuration of the job that reports. Put the inputs of measure into that file'}.`,
        )
  }
}

type Seen = Pick<Row, 'job' | 'workload' | 'load' | 'revision' | 'mode' | 'concurrency'>

/**
 * The file that the verdict rests on: by `profile: work` there are no runs. Modes that serve one request at a time are counted at one
 * connection.
 */
function decidingFile({ profile }: Config): { file: string; rowsIn: (job: JobText) => Seen[] } {
  if (profile !== 'work') return { file: SAMPLES, rowsIn: ({ samples }) => rowsOf(samples) }
  return {
    file: COUNTS,
    rowsIn: ({ job, samples, counts = '' }) => {
      if (rowsOf(samples).length > 0)
        throw new MeasurementError(`${SAMPLES} of job ${job}: found runs, but the configuration has profile: work, which makes none.`)
      return csvRows(counts, COUNT_COLUMNS) as Seen[]
    },
  }
}

export interface Coverage {
  /** How many of the configuration's cells were gated, and how many it has. */
  cells: { gated: number; of: number }
  /** Sentences about cells and blocks that did not count. */
  gaps: string[]
}

/**
 * How many of the configuration's cells were compared.
 *
 * A cell that only head has is new, and a cell that run.json calls redefined is only reported: R gates neither. A cell that the
 * configuration does not know is refused, because it would weaken the tests over all cells.
 *
 * @throws MeasurementError for rows that this configuration and these commits cannot produce, and if no cell was compared
 */
export function coverageOf(jobs: readonly JobText[], config: Config): Coverage {
  const cells = new Map<string, number>(
    config.workloads.flatMap((workload) =>
      Object.entries(config.loads).map(([load, { concurrency }]) => [`${nameOf(workload)}/${load}`, concurrency] as const),
    ),
  )
  const hasBase = jobs[0]?.run.commits.base !== null
  const seen = new Set<string>()
  const { file, rowsIn } = decidingFile(config)
  for (const one of jobs) {
    const { job } = one
    for (const row of rowsIn(one)) {
      const cell = `${row.workload}/${row.load}`
      const connections = cells.get(cell) ?? config.loads[row.load]?.concurrency
      if (row.job !== job) throw new MeasurementError(`${file} of job ${job}: found a run of job ${row.job}.`)
      if (row.revision === 'base' && !hasBase)
        throw new MeasurementError(`${file}: found runs of base, but run.json names no commit of base.`)
      if (row.revision === 'base' && !cells.has(cell))
        throw new MeasurementError(`${file}: found the cell ${cell} for base and head, expected ${[...cells.keys()].join(', ')}.`)
      const concurrency = Number(row.concurrency)
      if (connections !== undefined && concurrency !== connections && !(config.profile === 'work' && concurrency === 1))
        throw new MeasurementError(`${file}: found ${cell} at concurrency ${row.concurrency}, expected ${connections}.`)
      seen.add(`${cell} ${row.revision} ${row.mode}`)
    }
  }
  const all = [...cells.keys()]
  if (!hasBase) return { cells: { gated: all.length, of: all.length }, gaps: [] }
  const arms = ['base', 'head'].flatMap((revision) => modeNames(config).map((mode) => `${revision} ${mode}`))
  const missing = all.filter((cell) => arms.some((arm) => !seen.has(`${cell} ${arm}`)))
  const words = new Set(jobs.flatMap(({ run }) => run.ungated.filter(({ why }) => why === 'redefined').map(({ workload }) => workload)))
  const redefined = all.filter((cell) => !missing.includes(cell) && words.has(cell.split('/')[0] as string))
  const gated = all.length - missing.length - redefined.length
  const sentence = [
    `${gated} of ${all.length} cells gated`,
    ...(missing.length ? [`not measured for base and head in every mode: ${missing.join(', ')}`] : []),
    ...(redefined.length ? [`defined differently by base and head: ${redefined.join(', ')}`] : []),
  ].join('; ')
  if (gated === 0) throw new MeasurementError(`${file}: ${sentence}.`)
  return { cells: { gated, of: all.length }, gaps: gated < all.length ? [`${sentence}.`] : [] }
}
