/** The verdict of the docker engine on a real daemon, on a loss that a busy machine does not hide. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PACKAGE } from '../../../../config/catalog.ts'
import { COLUMNS } from '../../../../measure/samples.ts'
import { plannedRows, repository, rowsOf } from '../../harness.ts'
import { config, run, tidyDaemon } from '../../in-docker.ts'

const { skip } = await tidyDaemon()

test('the docker engine finds a gain that is lost, in the default image, with its database', { skip }, async () => {
  const app = readFileSync(join(PACKAGE, 'examples', 'minimal-app', 'src', 'Core', 'App.php'), 'utf8')
  const slow = app.replace(
    'return $this->router',
    "if (PHP_SAPI === 'cli') {\n            usleep(2000);\n        }\n\n        return $this->router",
  )
  assert.notEqual(slow, app)
  const orders = `[{ name: orders, path: "/api/orders?limit=50", expect: { contains: '"items"' } }]`
  const directory = await repository({
    base: config('setup: [php bin/setup.php]\n', '[fpm, fibers]', orders),
    head: { 'src/Core/App.php': slow },
  })
  const { code, output } = await run(directory)
  assert.equal(code, 1, output)
  const read = (name: string): string => readFileSync(join(directory, 'out', name), 'utf8')
  assert.match(read('summary.md'), /Regressed[\s\S]*`fibers` \d+\.\d % slower/)
  assert.match(read('summary.md'), /changed files that the workloads load: .*`src\/Core\/App\.php`.*`orders`/)
  const samples = rowsOf(read('samples.csv'))
  assert.equal(plannedRows(read('samples.csv')).length, 24)
  for (const column of ['goodput_rps', 'cpu_us_per_request', 'peak_memory_mib', 'half_ratio'] as const) {
    const values = samples.map((row) => Number(row[COLUMNS.indexOf(column)]))
    assert.ok(
      values.every((value) => value > 0),
      `${column}: ${values}`,
    )
  }
  const { facts, plan } = JSON.parse(read('run.json'))
  assert.equal(facts.engine, 'docker')
  assert.ok(plan.cells[0].slices >= 4, 'arms take turns')
  assert.match(facts.docker.images.head.from, /default environment on debian/)
  assert.equal(facts.database.private, true)
})
