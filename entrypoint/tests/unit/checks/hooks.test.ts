/** What cannot wait without blocking is named beside a blocking call. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hooksOf, unhookedIn } from '../../../checks/hooks.ts'
import type { Mode } from '../../../config/experiment.ts'
import { modesOf } from '../../../config/modes.ts'
import { parseConfig } from '../../../config/parse.ts'
import type { Server } from '../../../engines/engine.ts'

const loaded = (...names: string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, '1.0']))

test('drivers without a hook are named, and hooks that are off', () => {
  const swoole = { hook_flags: 2143285247, hooks_pdo_pgsql: true }
  assert.equal(unhookedIn({ extensions: loaded('pdo_mysql', 'pdo_pgsql'), swoole }), '')
  assert.equal(unhookedIn({ extensions: loaded('pgsql', 'memcached', 'curl'), swoole }), '; loaded without a hook: pgsql, memcached')
  const without = { ...swoole, hooks_pdo_pgsql: false }
  assert.equal(unhookedIn({ extensions: loaded('pdo_pgsql'), swoole: without }), '; loaded without a hook: pdo_pgsql')
  assert.equal(unhookedIn({ extensions: loaded('pgsql'), swoole: { ...swoole, hook_flags: 0 } }), "; Swoole's hooks are off")
  assert.equal(unhookedIn({ extensions: loaded('pgsql'), swoole: null }), '')
})

test('a runtime without hooks says so', async () => {
  const [mode] = modesOf(parseConfig('modes: [fibers]', 'c.yml')) as [Mode]
  assert.equal(await hooksOf(mode, {} as Server), "; fibers has no hooks for PHP's own waits")
})
