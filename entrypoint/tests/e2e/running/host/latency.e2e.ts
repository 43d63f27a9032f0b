/** A database that is as far away as `latency` says, by the command line. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COLUMNS } from '../../../../measure/samples.ts'
import { config, run } from '../../away.ts'
import { leftovers, plannedRows, repository } from '../../harness.ts'

test('latency delays each request that asks the database, by no CPU time of an arm', async () => {
  const directory = await repository({ base: config('[fpm, fibers]', 2, 'latency: { database: 40ms }\nblocks: 1\n') })
  const { output, read } = await run(directory)
  assert.match(output, /pilot: orders\/some fpm: [\d.]+\/s, \d+ ms, relay 0\.\d\d CPU, p99 \d+\.\d\d ms late/)
  const column = (row: string[], name: (typeof COLUMNS)[number]): number => Number(row[COLUMNS.indexOf(name)])
  for (const row of plannedRows(read('samples.csv'))) {
    assert.equal(column(row, 'failed'), 0)
    assert.ok(column(row, 'p50_ms') >= 40, `${column(row, 'p50_ms')} ms`)
    assert.ok(column(row, 'cpu_us_per_request') < 40_000, 'waiting is no CPU time')
  }
  const { facts, runs, warnings } = JSON.parse(read('run.json'))
  assert.equal(facts.database.latency_ms, 40)
  for (const { relay_cpus: used, relay_p99_late_ms: lateMs } of runs) {
    assert.ok(used >= 0 && used < 0.5, `${used}`)
    assert.ok(lateMs > 0, `${lateMs}`)
  }
  assert.doesNotMatch(warnings.join(' '), /relay/)
  assert.match(read('summary.md'), /The database was 40 ms away/)
  assert.deepEqual(await leftovers(), [])
})
