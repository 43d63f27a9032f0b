/** A Swoole that blocks on PostgreSQL is named. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseOf } from '../../../config/database.ts'
import type { Arm } from '../../../config/experiment.ts'
import { runtimeNamed } from '../../../config/runtimes.ts'
import { missingHooks } from '../../../preflight/servers.ts'

const armOf = (name: string): Arm => {
  const runtime = runtimeNamed(name)
  return { revision: 'head', mode: { name, kind: runtime.kind, via: 'runtime', runtime } }
}
const arms = [armOf('fpm'), armOf('swoole'), armOf('swoole-sync')]
const factsWith = (has: boolean) =>
  Object.fromEntries(arms.map(({ mode }) => [`head/${mode.name}`, { swoole: { version: '6.2.2', hooks_pdo_pgsql: has } }]))

test('a Swoole without the hook is named only if its queries would block', () => {
  assert.deepEqual(missingHooks(factsWith(true), arms, databaseOf('postgres')), [])
  assert.deepEqual(missingHooks(factsWith(false), arms, databaseOf('mariadb')), [])
  assert.deepEqual(missingHooks(factsWith(false), arms, databaseOf('none')), [])
  assert.deepEqual(missingHooks(factsWith(false), arms, databaseOf('postgres://u:p@h')), [
    'head/swoole: this Swoole has no hook for pdo_pgsql, so each query blocks its worker. Build it with --enable-swoole-pgsql.',
  ])
})
