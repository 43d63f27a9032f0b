/** The example on PostgreSQL and Redis, to its verdict: in the asynchronous mode head queries the database ten times instead of once. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PACKAGE } from '../../../../config/catalog.ts'
import { cli, hasExtension, leftovers, plannedRows, repository } from '../../harness.ts'

const skip = (await hasExtension('pdo_pgsql')) ? false : 'php -m has no pdo_pgsql'

const CONFIG = `modes: [fpm, fibers]
workloads: [{ name: products, path: "/products?limit=20", expect: { contains: '"products"' }, mask: ['"listed":\\d+'] }]
loads: { low: { concurrency: 4 } }
profile: quick
budget: 4m
database: postgres
redis: true
setup: [php bin/setup.php]
`

/** The example's app, whose list counts its requests in Redis. */
function app(statement: string): string {
  const given = readFileSync(join(PACKAGE, 'examples', 'shop', 'src', 'App.php'), 'utf8')
  const changed = given
    .replace("['products' => $select->fetchAll()]", "['products' => $select->fetchAll(), 'listed' => $this->redis->incr('listed')]")
    .replace('$select->execute([$limit]);', statement)
  assert.ok(changed.includes("'listed'"))
  assert.ok(changed.includes(statement))
  return changed
}

const ONCE = '$select->execute([$limit]);'
/** For processes that stay. */
const TEN_TIMES = "for ($i = PHP_SAPI === 'cli' ? 0 : 9; $i < 10; $i++) {\n            $select->execute([$limit]);\n        }"

test('a query in a loop regresses on PostgreSQL, and its statements are named', { skip }, async () => {
  const directory = await repository({
    example: 'shop',
    base: { 'bench.yml': CONFIG, 'src/App.php': app(ONCE) },
    head: { 'src/App.php': app(TEN_TIMES) },
  })
  const out = join(directory, 'out')
  const options = ['--workspace', directory, '--config', 'bench.yml', '--out', out, '--seed', '5']
  const { code, output } = await cli(['run', ...options], { timeoutMs: 900_000 })
  assert.equal(code, 1, output)
  const read = (name: string): string => readFileSync(join(out, name), 'utf8')

  const summary = read('summary.md')
  assert.match(summary, /Regressed/)
  assert.match(summary, /workload `products` makes 10 SELECT statements per request instead of 1 \(`fibers`\)/)
  assert.match(summary, /`src\/App\.php`/)
  const { verdict, cells } = JSON.parse(read('analysis.json'))
  assert.deepEqual([verdict, cells.length, cells[0].verdict], ['regressed', 1, 'regressed'])

  const { facts, statements } = JSON.parse(read('run.json'))
  assert.equal(facts.database.kind, 'postgres')
  assert.match(facts.redis.version, /server v=\d/)
  const selects = ['base/fpm', 'head/fpm', 'base/fibers', 'head/fibers'].map((arm) => statements[arm].products.select)
  assert.deepEqual(selects, [1, 1, 1, 10])
  assert.equal(plannedRows(read('samples.csv')).length, 4 * 6)
  assert.deepEqual(await leftovers(), [])
})
