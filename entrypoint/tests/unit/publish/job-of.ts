/** A job's data for tests: every arm of two cells, in a number of blocks, with given changes. */
import { parseConfig } from '../../../config/parse.ts'
import type { Config } from '../../../config/schema.ts'
import { COLUMNS } from '../../../measure/samples.ts'
import type { JobText } from '../../../publish/coverage.ts'
import type { TrustedRun } from '../../../publish/untrusted.ts'

export const configOf = (more = ''): Config =>
  parseConfig(`modes: [fpm, swoole]\nworkloads: [fibonacci, invoice]\nloads: { low: { concurrency: 4 } }\n${more}`, 'c')
export const config = configOf()

export type Cells = Partial<Record<(typeof COLUMNS)[number], string>>

/** @param change changes a row; null leaves it out @param run further fields of run.json */
export function jobOf(change: (row: Cells) => Cells | null = (row) => row, blocks = 10, run: object = {}, job = '1'): JobText {
  const rows: Cells[] = []
  for (let block = 1; block <= blocks; block++)
    for (const workload of ['fibonacci', 'invoice'])
      for (const revision of ['base', 'head'])
        for (const mode of ['fpm', 'swoole'])
          rows.push({ job, block: String(block), workload, load: 'low', concurrency: '4', revision, mode })
  const lines = rows.flatMap((row) => change(row) ?? []).map((row) => COLUMNS.map((column) => row[column] ?? '1').join(','))
  const notes = {
    job,
    looks: 1,
    modes: ['fpm', 'swoole'],
    connections: 16,
    instances: 'pool',
    ungated: [],
    commits: { head: 'h', base: 'b' },
    ...run,
  }
  return { job, samples: [COLUMNS.join(','), ...lines, ''].join('\n'), run: notes as unknown as TrustedRun }
}
