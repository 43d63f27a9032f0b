/** The example on PostgreSQL and Redis, served by the host engine: its environment, its counts, and the start of a run. */
import assert from 'node:assert/strict'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { PACKAGE } from '../../../config/catalog.ts'
import type { HostEngine } from '../../../engines/host/engine.ts'
import { ask } from '../../../system/http.ts'
import { engineOver, hasExtension, temporary } from '../harness.ts'

const skip = (await hasExtension('pdo_pgsql')) ? false : 'php -m has no pdo_pgsql'

/** The example, with modes that need only PHP. */
function shop(): { directory: string; yaml: string } {
  const directory = join(temporary(), 'shop')
  cpSync(join(PACKAGE, 'examples', 'shop'), directory, { recursive: true, filter: (source) => !source.includes('/vendor') })
  const yaml = readFileSync(join(directory, 'bench.yml'), 'utf8')
  return { directory, yaml: `${yaml.replace('[fpm, swoole]', '[fpm, fibers]')}connections: 4\n` }
}

describe('a private PostgreSQL and Redis', { skip }, () => {
  let engine: HostEngine
  let modes: Awaited<ReturnType<typeof engineOver>>['modes']
  before(async () => {
    const { directory, yaml } = shop()
    const made = await engineOver(directory, yaml)
    engine = made.engine
    modes = made.modes
  })
  after(() => engine?.close())

  /** Sends requests to a server of the first mode, one after the other. */
  async function answersTo(paths: readonly string[], between: () => Promise<void> = async () => {}): Promise<unknown[]> {
    const server = await engine.start({ revision: 'head', mode: modes[0] as (typeof modes)[number] }, 'measurement')
    try {
      const answers: unknown[] = []
      for (const path of paths) {
        const { status, body } = await ask(server.url + path, { method: path.startsWith('/orders') ? 'POST' : 'GET' })
        assert.equal(status, 200, body)
        answers.push(JSON.parse(body))
        await between()
      }
      return answers
    } finally {
      await server.stop()
    }
  }

  test('counts the statements of a request by verb', async () => {
    const counts: Record<string, number>[] = []
    await answersTo(['/products?limit=3', '/products?limit=3', '/orders?product=1'], async () => {
      counts.push(await engine.statementCounts())
    })
    const [first, second, third] = counts as [Record<string, number>, Record<string, number>, Record<string, number>]
    assert.equal((second.select ?? 0) - (first.select ?? 0), 1)
    assert.equal((third.insert ?? 0) - (second.insert ?? 0), 1)
    assert.equal(third.select, second.select)
  })

  test('begins each run with the state after setup, sequences included', async () => {
    await engine.restore('head')
    const orders = ['/orders?product=7', '/orders?product=7']
    assert.deepEqual(await answersTo(orders), [{ order: 1 }, { order: 2 }])
    await engine.restore('head')
    assert.deepEqual(await answersTo(orders), [{ order: 1 }, { order: 2 }])
  })

  test('begins each run with an empty Redis', async () => {
    const views = async (): Promise<unknown[]> => {
      const answers = await answersTo(['/product?id=7', '/product?id=7'])
      return answers.map((answer) => (answer as { views: number }).views)
    }
    await engine.restore('head')
    assert.deepEqual(await views(), [1, 2])
    await engine.restore('head')
    assert.deepEqual(await views(), [1, 2])
    await engine.assertAlive()
  })

  test('is named with its version and durability, the same for every arm', () => {
    const { database, redis } = engine.describe() as {
      redis: { version: string }
      database: { kind: string; version: string; settings: Record<string, string> }
    }
    assert.equal(database.kind, 'postgres')
    assert.match(database.version, /PostgreSQL\) \d+/)
    assert.equal(database.settings.fsync, 'off')
    assert.match(redis.version, /server v=\d/)
  })
})
