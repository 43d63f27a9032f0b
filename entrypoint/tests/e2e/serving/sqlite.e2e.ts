/** An app on SQLite, served by the host engine: each arm has its own file, and each run begins with the state after setup. */
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { PACKAGE } from '../../../config/catalog.ts'
import type { Mode } from '../../../config/experiment.ts'
import type { HostEngine } from '../../../engines/host/engine.ts'
import { ask } from '../../../system/http.ts'
import { engineOver, hasExtension, temporary } from '../harness.ts'

const skip = (await hasExtension('pdo_sqlite')) ? false : 'php -m has no pdo_sqlite'

const CONFIG = `front: public/index.php
database: sqlite
modes: [fpm, { name: own, kind: async, command: "php -S 127.0.0.1:{port} public/index.php", health: /health }]
connections: 4
workloads: [/]
setup: [php bin/setup.php]
`

describe('a database that is a file', { skip }, () => {
  let engine: HostEngine
  let modes: Mode[]
  before(async () => {
    const project = join(temporary(), 'project')
    cpSync(join(PACKAGE, 'entrypoint', 'tests', 'fixtures', 'file-app'), project, { recursive: true })
    const made = await engineOver(project, CONFIG)
    engine = made.engine
    modes = made.modes
  })
  after(() => engine?.close())

  test('is copied for each arm and run', async () => {
    const start = () => Promise.all(modes.map((mode) => engine.start({ revision: 'head', mode }, 'measurement')))
    for (const _run of [1, 2]) {
      await engine.restore('head')
      const servers = await start()
      const urls = new Set<string>()
      for (const server of servers)
        for (const expected of [1, 2]) {
          const { status, body } = await ask(`${server.url}/`)
          assert.equal(status, 200, body)
          const { visits, url } = JSON.parse(body)
          assert.equal(visits, expected)
          assert.match(url, /^sqlite:\/\/\/\/.*\/database\.sqlite$/)
          urls.add(url)
        }
      assert.equal(urls.size, 2)
      for (const server of servers) await server.stop()
    }
  })

  test('is not at the path that setup used', async () => {
    const server = await engine.start({ revision: 'head', mode: modes[0] as Mode }, 'measurement')
    const { status, body } = await ask(`${server.url}/remembered`)
    await server.stop()
    assert.equal(status, 500)
    assert.match(body, /unable to open database file/)
  })

  test('is described as not counted', async () => {
    assert.deepEqual(await engine.statementCounts(), {})
    assert.equal(engine.hasOwnDatabase, false)
    const { database } = engine.describe() as { database: Record<string, string> }
    assert.deepEqual([database.kind, database.statements], ['sqlite', 'not counted'])
  })
})
