/** Which runs of a stranger's data are copies of others. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COLUMNS } from '../../../measure/samples.ts'
import { refuseCopies } from '../../../publish/copies.ts'
import type { JobText } from '../../../publish/coverage.ts'

type Cells = Partial<Record<(typeof COLUMNS)[number], string>>

const run = { goodput_rps: '3020.1', p50_ms: '9.1', p95_ms: '15.4', p99_ms: '15.9', max_ms: '18.13', cpu_us_per_request: '558.9' }

function jobOf(job: string, ...rows: Cells[]): JobText {
  const lines = rows.map((row) => COLUMNS.map((column) => (column === 'job' ? job : (row[column] ?? ''))).join(','))
  return { job, samples: [COLUMNS.join(','), ...lines, ''].join('\n'), run: {} as JobText['run'] }
}

test('runs that differ in a latency, and runs that answered nothing, are no copies', () => {
  const failed = { goodput_rps: '0' }
  refuseCopies([jobOf('1', run, failed, { ...run, max_ms: '18.14' }), jobOf('2', failed, { ...run, p50_ms: '9.2' })])
})

test('a run that occurs twice is refused, with both places', () => {
  const place = { block: '3', workload: 'page', load: 'low', revision: 'head', mode: 'fibers' }
  const other = { ...place, block: '7', revision: 'base' }
  assert.throws(() => refuseCopies([jobOf('1', { ...run, ...place }), jobOf('2', { ...run, ...other })]), {
    message: /job 2, block 7, base\/fibers of page\/low: found the numbers of job 1, block 3, head\/fibers of page\/low, to the last digit/,
  })
})

test('neither another spelling of a number nor another rate with the same latencies hides it', () => {
  for (const changed of [{ max_ms: '18.130' }, { goodput_rps: '3021', cpu_us_per_request: '' }])
    assert.throws(() => refuseCopies([jobOf('1', run, { ...run, ...changed })]), /to the last digit/)
})

test('without latencies all other measures are compared', () => {
  const bare = { ...run, p99_ms: '' }
  assert.throws(() => refuseCopies([jobOf('1', bare, { ...bare, max_ms: '19' })]), /to the last digit/)
  refuseCopies([jobOf('1', bare, { ...bare, cpu_us_per_request: '559' })])
})
