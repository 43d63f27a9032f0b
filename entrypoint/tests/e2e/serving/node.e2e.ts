/** The built-in workloads in JavaScript: the same answers as PHP gives, from every worker. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Mode } from '../../../config/experiment.ts'
import { parseConfig } from '../../../config/parse.ts'
import { workloadsOf } from '../../../config/workloads.ts'
import type { Server } from '../../../engines/engine.ts'
import type { HostEngine } from '../../../engines/host/engine.ts'
import { ask } from '../../../system/http.ts'
import { engineOver, temporary, whySkipped } from '../harness.ts'

const NAMES = ['fibonacci', 'files', 'invoice', 'mixed', 'upstream']
const skip = await whySkipped('node')

describe('node and fpm', { skip }, () => {
  let engine: HostEngine
  let servers: Server[]
  before(async () => {
    const prepared = await engineOver(temporary(), `modes: [fpm, node]\nworkloads: [${NAMES}]`)
    engine = prepared.engine
    servers = []
    for (const mode of prepared.modes as Mode[]) servers.push(await engine.start({ revision: 'head', mode }, 'measurement'))
  })
  after(async () => {
    for (const server of servers) await server.stop()
    await engine.close()
  })

  for (const { name, path, expect } of workloadsOf(parseConfig(`workloads: [${NAMES}]`, 'c.yml'))) {
    test(`answer ${name} with the same JSON`, async () => {
      const [php, javascript] = await Promise.all(servers.map(({ url }) => ask(url + path)))
      assert.deepEqual([php?.status, javascript?.status], [200, 200], javascript?.body)
      assert.equal(javascript?.body, php?.body)
      assert.ok(javascript?.body.includes(expect.contains ?? ''))
    })
  }

  test('count requests in progress in every worker of node', async () => {
    const node = servers[1] as Server
    await Promise.all(Array.from({ length: 32 }, () => ask(`${node.url}/_bench/wait?ms=50`)))
    const { of, workers } = (await node.status()) as { of: number; workers: { pid: number; most_at_once: number }[] }
    assert.equal(new Set(workers.map(({ pid }) => pid)).size, of)
    assert.ok(workers.some(({ most_at_once: most }) => most > 1))
  })

  test('answer as many requests at once as there are connections', async () => {
    for (const { url } of servers) {
      const started = Date.now()
      await Promise.all(Array.from({ length: 32 }, () => ask(`${url}/_bench/upstream?calls=1&delay-ms=200`)))
      // 16 of them, and then the others.
      assert.ok(Date.now() - started >= 400)
    }
  })

  test('make the same statements for an invoice', async () => {
    const made = async ({ url }: Server): Promise<Record<string, number>> => {
      const before = await engine.statementCounts()
      assert.equal((await ask(`${url}/_bench/invoice`)).status, 200)
      const after = await engine.statementCounts()
      return Object.fromEntries(['insert', 'select', 'update', 'delete'].map((verb) => [verb, (after[verb] ?? 0) - (before[verb] ?? 0)]))
    }
    for (const server of servers) assert.deepEqual(await made(server), { insert: 14, select: 175, update: 4, delete: 1 })
  })

  test('answer what is no workload with 404, and node an error with 500 and its log', async () => {
    const node = servers[1] as Server
    assert.equal((await ask(`${node.url}/_bench/nothing`)).status, 404)
    assert.equal((await ask(`${node.url}/_bench/upstream?delay-ms=99999`)).status, 500)
    assert.match(await node.logTail(), /The upstream answered: HTTP\/1\.0 400/)
  })
})
