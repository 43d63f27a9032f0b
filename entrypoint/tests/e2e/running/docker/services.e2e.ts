/** The services of the docker engine on a real daemon: PostgreSQL, Redis, SQLite, and their delays. */
import assert from 'node:assert/strict'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { PACKAGE } from '../../../../config/catalog.ts'
import type { Mode } from '../../../../config/experiment.ts'
import { modesOf } from '../../../../config/modes.ts'
import { parseConfig } from '../../../../config/parse.ts'
import type { DockerEngine } from '../../../../engines/docker/engine.ts'
import type { Server } from '../../../../engines/engine.ts'
import { COLUMNS } from '../../../../measure/samples.ts'
import { ask } from '../../../../system/http.ts'
import { dockerEngine } from '../../daemon.ts'
import { plannedRows, repository, temporary } from '../../harness.ts'
import { run, tidyDaemon } from '../../in-docker.ts'

const { skip } = await tidyDaemon()

/** A copy of an app, since setup and Composer write to it. */
function copyOf(...path: string[]): string {
  const directory = join(temporary(), 'app')
  cpSync(join(PACKAGE, ...path), directory, { recursive: true, filter: (source) => !source.includes('/vendor') })
  return directory
}

async function json(server: Server, path: string, method = 'GET'): Promise<Record<string, unknown>> {
  const { status, body } = await ask(server.url + path, { method })
  assert.equal(status, 200, body)
  return JSON.parse(body)
}

/** The first mode's answers to requests, one after the other. */
async function answersTo(engine: DockerEngine, mode: Mode, requests: readonly [path: string, method?: string][]): Promise<unknown[]> {
  const server = await engine.start({ revision: 'head', mode }, 'measurement')
  try {
    const answers: unknown[] = []
    for (const [path, method] of requests) answers.push(await json(server, path, method))
    return answers
  } finally {
    await server.stop()
  }
}

describe('services in containers', { skip }, () => {
  test('PostgreSQL and Redis: counted, restored, emptied, and delayed by `latency`', async () => {
    const directory = copyOf('examples', 'shop')
    const text = readFileSync(join(directory, 'bench.yml'), 'utf8').replace('[fpm, swoole]', '[fpm, fibers]')
    const parsed = parseConfig(`${text}connections: 4\nlatency: { database: 30ms, redis: 20ms }\n`, 'bench.yml')
    const [fpm, fibers] = modesOf(parsed) as [Mode, Mode]
    const engine = await dockerEngine(directory, parsed)
    try {
      await engine.prepare()
      const { database, redis } = engine.describe() as { database: Record<string, unknown>; redis: Record<string, unknown> }
      assert.deepEqual([database.kind, database.private, database.latency_ms, redis.latency_ms], ['postgres', true, 30, 20])
      assert.match(String(database.version), /^PostgreSQL \d+/)
      assert.match(String(redis.version), /^\d+\.\d+/)

      for (const mode of [fpm, fibers]) {
        await engine.restore('head')
        const before = await engine.statementCounts()
        assert.deepEqual(
          await answersTo(engine, mode, [
            ['/orders?product=7', 'POST'],
            ['/orders?product=7', 'POST'],
          ]),
          [{ order: 1 }, { order: 2 }],
        )
        const views = await answersTo(engine, mode, [['/product?id=7'], ['/product?id=7']])
        assert.deepEqual(
          views.map((answer) => (answer as { views: number }).views),
          [1, 2],
        )
        const counts = await engine.statementCounts()
        assert.deepEqual([(counts.insert ?? 0) - (before.insert ?? 0), (counts.select ?? 0) - (before.select ?? 0)], [2, 1], mode.name)
      }

      const server = await engine.start({ revision: 'head', mode: fibers }, 'measurement')
      const msOf = async (path: string): Promise<number> => {
        const start = performance.now()
        await json(server, path)
        return performance.now() - start
      }
      await msOf('/product?id=7')
      // Found in Redis, which sends its two answers one after the other.
      const [cached, listed] = [await msOf('/product?id=7'), await msOf('/products?limit=3')]
      await server.stop()
      assert.ok(cached >= 40, `${cached} ms`)
      assert.ok(listed >= 30, `${listed} ms`)
      // The kernel's delay is no process.
      assert.ok(['netem', 'relay'].includes(String(database.latency_by)), String(database.latency_by))
      assert.equal(((await engine.sidecarUses()).relay?.cpuUs ?? 0) > 0, database.latency_by === 'relay')
      await engine.assertAlive()
    } finally {
      await engine.close()
    }
  })

  test('a gate on PostgreSQL and Redis, which every run finds as setup left them', async () => {
    const read = (name: string): string => readFileSync(join(PACKAGE, 'examples', 'shop', name), 'utf8')
    // Redis counts the orders, too. Without a restored database or an emptied Redis, the numbers differ by those of earlier runs.
    // A process that waits for a CPU between the two may see the orders of others in its second number.
    const app = read('src/App.php').replace(
      "return $this->json(['order' => $insert->fetchColumn()]);",
      `[$order, $counted] = [(int) $insert->fetchColumn(), $this->redis->incr('orders')];

        return abs($order - $counted) > 500 ? new Response(500) : $this->json(['order' => $order]);`,
    )
    assert.match(app, /\$counted/)
    const setup = `${read('bin/setup.php')}(new Predis\\Client(getenv('REDIS_URL')))->incrby('orders', 100000);\n`
    const config = `engine: docker
modes: [fpm, fibers]
workloads: [{ name: order, path: "/orders?product={id}", method: POST, expect: { contains: '"order"' }, mask: ['\\d+'] }]
loads: { low: { concurrency: 4 } }
connections: 4
profile: quick
blocks: 1
database: postgres
redis: true
setup: [php bin/setup.php]
`
    const directory = await repository({ example: 'shop', base: { 'bench.yml': config, 'src/App.php': app, 'bin/setup.php': setup } })
    const { code, output } = await run(directory)
    assert.equal(code, 0, output)
    const written = (name: string): string => readFileSync(join(directory, 'out', name), 'utf8')
    assert.match(written('summary.md'), /1 complete blocks are too few to decide on/)
    assert.equal(JSON.parse(written('analysis.json')).verdict, 'not-gated')
    const rows = plannedRows(written('samples.csv'))
    assert.equal(rows.length, 4)
    for (const row of rows) assert.equal(row[COLUMNS.indexOf('failed')], '0')
    const { facts, statements } = JSON.parse(written('run.json'))
    assert.deepEqual([facts.engine, facts.database.kind], ['docker', 'postgres'])
    for (const arm of ['base/fpm', 'head/fpm', 'base/fibers', 'head/fibers']) assert.equal(statements[arm].order.insert, 1, arm)
  })

  test('a SQLite file per arm, beside a Redis per revision', async () => {
    const parsed = parseConfig(
      'front: public/index.php\ndatabase: sqlite\nredis: true\nmodes: [fpm]\nconnections: 4\nworkloads: [/]\nsetup: [php bin/setup.php]\n',
      'bench.yml',
    )
    const [mode] = modesOf(parsed) as [Mode]
    const engine = await dockerEngine(copyOf('entrypoint', 'tests', 'fixtures', 'file-app'), parsed, ['base', 'head'])
    try {
      await engine.prepare()
      const { database } = engine.describe() as { database: Record<string, string> }
      assert.deepEqual([database.kind, database.statements, engine.hasOwnDatabase], ['sqlite', 'not counted', false])
      for (const _run of [1, 2]) {
        const servers: Server[] = []
        for (const revision of ['base', 'head'] as const) {
          await engine.restore(revision)
          servers.push(await engine.start({ revision, mode }, 'measurement'))
        }
        for (const server of servers)
          for (const expected of [1, 2]) {
            const { visits, hits, url } = await json(server, '/')
            assert.deepEqual([visits, hits], [expected, expected])
            assert.equal(url, 'sqlite:////var/lib/async-php-bench/sqlite/database.sqlite')
          }
        // Setup and the arms use the same path, so an app may remember it.
        assert.equal((await json(servers[0] as Server, '/remembered')).visits, 3)
        for (const server of servers) await server.stop()
      }
      assert.deepEqual(await engine.statementCounts(), {})
      await engine.assertAlive()
    } finally {
      await engine.close()
    }
  })
})
