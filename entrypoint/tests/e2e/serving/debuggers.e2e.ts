/** A PHP that loads Xdebug and PCOV, like a hosted runner's. No arm has them. */
import assert from 'node:assert/strict'
import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { PACKAGE } from '../../../config/catalog.ts'
import type { Mode } from '../../../config/experiment.ts'
import { phpRuntimes } from '../../../config/languages.ts'
import { factsOf } from '../../../preflight/servers.ts'
import { apart } from '../../../system/environment.ts'
import { exec } from '../../../system/exec.ts'
import { engineOver, temporary, whySkipped } from '../harness.ts'
import { standInsOf } from '../stand-ins.ts'

const directory = (await exec(['php', '-r', 'echo ini_get("extension_dir");'], apart())).stdout
const files = ['xdebug', 'pcov'].map((name) => join(directory, `${name}.so`))
const lacking = files.filter((file) => !existsSync(file))
const skips: Record<string, string | false> = {}
for (const runtime of phpRuntimes()) skips[runtime] = await whySkipped(runtime, Object.keys(standInsOf(runtime)))

describe('a PHP with Xdebug and PCOV', { skip: lacking.length > 0 ? `not installed: ${lacking.join(', ')}` : false }, () => {
  const outer = process.env.PHP_INI_SCAN_DIR
  const project = join(temporary(), 'project')

  before(() => {
    cpSync(join(PACKAGE, 'entrypoint', 'tests', 'fixtures', 'contract-app'), project, { recursive: true })
    const ini = temporary()
    writeFileSync(join(ini, '90-xdebug.ini'), 'zend_extension=xdebug.so\nxdebug.mode = develop\n')
    writeFileSync(join(ini, '91-pcov.ini'), 'extension = "pcov"\nprecision = 9\n')
    process.env.PHP_INI_SCAN_DIR = `:${ini}`
  })
  after(() => {
    if (outer === undefined) delete process.env.PHP_INI_SCAN_DIR
    else process.env.PHP_INI_SCAN_DIR = outer
  })

  const facts = async (runtime: string, more: string): Promise<Record<string, unknown>> => {
    const config = `app: bench/psr15.php\nmodes: [${runtime}]\nworkloads: [fibonacci]\n${more}`
    const { engine, modes } = await engineOver(project, config, standInsOf(runtime))
    try {
      const arm = { revision: 'head' as const, mode: modes[0] as Mode }
      const server = await engine.start(arm, 'preflight')
      try {
        assert.ok(arm.mode.via === 'runtime')
        return await factsOf(server, arm)
      } finally {
        await server.stop()
      }
    } finally {
      await engine.close()
    }
  }

  for (const runtime of phpRuntimes()) {
    test(`serves without them in ${runtime}, and keeps the other settings of their files`, { skip: skips[runtime] ?? false }, async () => {
      const setup = `setup: ['! php -m | grep -Eiq "xdebug|pcov"']`
      const { extensions, ini } = await facts(runtime, setup)
      assert.deepEqual(
        Object.keys(extensions as object).filter((name) => /xdebug|pcov/i.test(name)),
        [],
      )
      assert.equal((ini as Record<string, string>).precision, '9')
    })
  }
  test('is refused if the configuration loads them again', async () => {
    await assert.rejects(
      facts('fpm', 'php: { ini: { zend_extension: xdebug } }\nenv: { XDEBUG_MODE: develop }'),
      /^MeasurementError: head\/fpm: xdebug is on\. It slows every request and crashes Swoole\. Switch it off: set XDEBUG_MODE=off where the app's environment sets it/,
    )
    await assert.rejects(
      facts('fpm', 'php: { ini: { extension: pcov, pcov.enabled: 1 } }'),
      /^MeasurementError: head\/fpm: pcov is on\..*Switch it off: pcov\.enabled=0/,
    )
  })
})
