/** Extensions that slow a measurement. */
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { compareServers } from '../../../preflight/servers.ts'
import { slowingAmong, slowingIn } from '../../../provision/slowing.ts'

const directory = mkdtempSync(join(tmpdir(), 'apb-slowing-'))
after(() => rmSync(directory, { recursive: true, force: true }))

/** A PHP that lists these modules. */
function php(name: string, modules: string[]): string {
  const path = join(directory, name)
  writeFileSync(path, `#!/bin/sh\n[ "$1" = -m ] && printf '%s\\n' ${modules.join(' ')}\n`)
  chmodSync(path, 0o755)
  return path
}

describe('an extension that slows a measurement', () => {
  test('is found in the programs that load it', async () => {
    const programs = { php: php('php', ['Core', 'Xdebug', 'ddtrace']), 'php-fpm': php('php-fpm', ['Core', 'ddtrace', 'curl']) }
    assert.deepEqual(
      (await slowingIn(programs)).map(({ name, isOffInArms, in: where }) => [name, isOffInArms, where]),
      [
        ['xdebug', true, ['php']],
        ['ddtrace', false, ['php', 'php-fpm']],
      ],
    )
  })
  test('is recognised by its name alone', () => assert.deepEqual(slowingAmong(['xdebug-info', 'pcovx']), []))
  test('is a warning if every arm loads it', () => {
    const facts = { php: '8.3.6', extensions: { Core: '8.3.6', newrelic: '11' } }
    assert.match(
      compareServers({ 'base/fpm': facts, 'head/fpm': facts }).join('\n'),
      /^base\/fpm has the extension newrelic, which measures every request.*phpdismod newrelic[^\n]*$/,
    )
  })
})
