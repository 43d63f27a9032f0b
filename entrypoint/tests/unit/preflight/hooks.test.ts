/** What servers say of themselves: a Swoole that blocks on PostgreSQL is named, and another language has no PHP that could differ. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseOf } from '../../../config/database.ts'
import type { Arm } from '../../../config/experiment.ts'
import { runtimeNamed } from '../../../config/runtimes.ts'
import { compareServers, missingHooks } from '../../../preflight/servers.ts'

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

test('a server in another language is compared with no PHP', () => {
  const php = { php: '8.2.0', extensions: { json: '1' } }
  const node = { language: 'javascript', node: '20.0.0', extensions: {} }
  assert.deepEqual(compareServers({ 'head/node': node, 'head/fpm': php, 'head/swoole': php }), [])
  assert.throws(
    () => compareServers({ 'head/node': node, 'head/fpm': php, 'head/fibers': { ...php, php: '8.3.0' } }),
    /All arms need the same version/,
  )
})

test('an extension of a SAPI is no difference, and another one is named', () => {
  const having = (...names: string[]) => ({ php: '8.2.0', extensions: Object.fromEntries(names.map((name) => [name, '1'])) })
  assert.deepEqual(compareServers({ 'head/php-builtin': having('json', 'cli_server'), 'head/fpm': having('json', 'cgi-fcgi') }), [])
  assert.deepEqual(compareServers({ 'head/fpm': having('json'), 'head/fibers': having('json', 'ffi') }), [
    'head/fibers and head/fpm differ in extensions: ffi.',
  ])
})

test('PHP inside a server may have another patch release, with a warning, but no other version', () => {
  const facts = (php: string) => ({ php, extensions: { json: '1' } })
  const pair = [armOf('fpm'), armOf('frankenphp')]
  assert.deepEqual(compareServers({ 'head/fpm': facts('8.5.7'), 'head/frankenphp': facts('8.5.9') }, pair), [
    "head/frankenphp runs PHP 8.5.9, head/fpm runs PHP 8.5.7. A part of the difference between them may be PHP's.",
  ])
  assert.deepEqual(compareServers({ 'head/fpm': facts('8.5.9'), 'head/frankenphp': facts('8.5.9') }, pair), [])
  for (const [name, php] of [
    ['frankenphp', '8.4.9'],
    ['swoole', '8.5.9'],
  ] as const)
    assert.throws(
      () => compareServers({ 'head/fpm': facts('8.5.7'), [`head/${name}`]: facts(php) }, [...pair, armOf('swoole')]),
      new RegExp(`^MeasurementError: head/${name} runs PHP ${php}, head/fpm runs PHP 8\\.5\\.7\\. All arms need the same version\\.$`),
    )
})
