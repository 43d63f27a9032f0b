/** Recorded runs as a job's artifact: the cell fibonacci/high on fpm and fibers, with changes of the test's choice. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { strToU8 } from 'fflate'
import { PACKAGE } from '../../../config/catalog.ts'
import { COLUMNS } from '../../../measure/samples.ts'

export type Row = string[]
type Column = (typeof COLUMNS)[number]

export const at = (column: Column): number => COLUMNS.indexOf(column)

const [header, ...lines] = gunzipSync(readFileSync(join(PACKAGE, 'r', 'calibration', 'recorded', 'quiet', 'aa.csv.gz')))
  .toString()
  .trim()
  .split('\n')
export const recorded: readonly Row[] = lines.map((line) => line.split(','))

/** The samples.csv of the first blocks. Each row becomes the rows that `change` returns. */
export function samples(change: (row: Row) => Row[] = (row) => [row], blocks = 10): string {
  const rows = recorded.filter((row) => Number(row[at('block')]) <= blocks)
  return `${[header, ...rows.flatMap(change).map((row) => row.join(','))].join('\n')}\n`
}

export const replaced = (row: Row, column: Column, text: string): Row => row.with(at(column), text)
export const scaled = (row: Row, column: Column, factor: number): Row => replaced(row, column, String(Number(row[at(column)]) * factor))
/** The same responses in a longer or shorter window. */
export const atRate = (row: Row, factor: number): Row => scaled(scaled(row, 'goodput_rps', factor), 'duration_s', 1 / factor)
/** Whether a row belongs to head's asynchronous mode, which the gate judges. */
export const isJudged = (row: Row): boolean => row[at('revision')] === 'head' && row[at('mode')] === 'fibers'

export const runJson = (commits: object, more: object = {}): object => ({
  schema: 1,
  job: '1',
  seed: 1,
  looks: 1,
  modes: ['fpm', 'fibers'],
  connections: 16,
  instances: 'pool',
  commits,
  plan: { blocks: 10, runs: 40, cells: [] },
  probes_ms: [],
  runs: [],
  ...more,
})

export const artifactOf = (csv: string, run: object): Record<string, Uint8Array> => ({
  'samples.csv': strToU8(csv),
  'run.json': strToU8(JSON.stringify(run)),
})
