/** What the contract does not ask of roadrunner: workers that are replaced, and apps that do not boot or that print meanwhile. */
import assert from 'node:assert/strict'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { PACKAGE } from '../../../config/catalog.ts'
import type { Mode } from '../../../config/experiment.ts'
import type { Purpose, Server } from '../../../engines/engine.ts'
import type { HostEngine } from '../../../engines/host/engine.ts'
import { ask } from '../../../system/http.ts'
import { engineOver, temporary, whySkipped } from '../harness.ts'
import { standInsOf } from '../stand-ins.ts'

const standIns = standInsOf('roadrunner')
const skip = await whySkipped('roadrunner', Object.keys(standIns))

describe(`roadrunner${Object.keys(standIns).map((name) => `, with a stand-in for ${name}`)}`, { skip }, () => {
  const engines: HostEngine[] = []
  after(() => Promise.all(engines.map((engine) => engine.close())))

  /** @param code of the app's entry file, before its function */
  async function started(code: string, purpose: Purpose): Promise<Server> {
    const project = join(temporary(), 'project')
    cpSync(join(PACKAGE, 'entrypoint', 'tests', 'fixtures', 'checks-app'), project, { recursive: true })
    const entry = join(project, 'bench', 'app.php')
    writeFileSync(entry, readFileSync(entry, 'utf8').replace('\nreturn ', `\n${code}\nreturn `))
    const config = 'modes: [roadrunner]\nworkloads: [fibonacci]\ndatabase: none\nconnections: 4\nchecks: { recycle-after: 10 }'
    const { engine, modes } = await engineOver(project, config, standIns)
    engines.push(engine)
    return engine.start({ revision: 'head', mode: modes[0] as Mode }, purpose)
  }
  const pidOf = async (server: Server): Promise<number> => JSON.parse((await ask(`${server.url}/_bench/health`)).body).pid

  test('its workers are replaced after their requests only in the check of it, and no request is lost', async () => {
    const pids = async (purpose: Purpose): Promise<number> => {
      const server = await started('', purpose)
      const seen = await Promise.all(Array.from({ length: 4 }, async () => [await pidOf(server), await pidOf(server), await pidOf(server)]))
      for (let i = 0; i < 60; i++) seen.push([await pidOf(server)])
      await server.stop()
      return new Set(seen.flat()).size
    }
    assert.ok((await pids('measurement')) <= 4)
    assert.ok((await pids('recycle')) >= 6)
  })

  test('an app that does not boot ends the server, with the reason', () =>
    assert.rejects(started('throw new LogicException("no such service");', 'measurement'), /threw LogicException: no such service/))

  test('text that an app prints while it boots goes to the log, not into the pipe', async () => {
    const server = await started('echo "hello from the boot\\n";', 'measurement')
    assert.ok((await pidOf(server)) > 0)
    assert.match(await server.log(), /hello from the boot/)
    await server.stop()
  })
})
