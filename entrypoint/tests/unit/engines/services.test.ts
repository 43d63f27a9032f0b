/** Services with latency are reached through the relay, unless the kernel delays their answers. Others are reached directly. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseConfig } from '../../../config/parse.ts'
import type { DatabaseServer } from '../../../engines/shared/database.ts'
import type { Redis } from '../../../engines/shared/redis.ts'
import { RELAY, Relay } from '../../../engines/shared/relay.ts'
import { distant } from '../../../engines/shared/services.ts'
import { SIDECARS } from '../../../engines/shared/sidecar.ts'
import { apart } from '../../../system/environment.ts'

const access = { host: '127.0.0.1', port: 1, user: 'u', password: 'p' }
const server = { access, description: { kind: 'x' }, lost: async () => undefined } as unknown as DatabaseServer
const redis: Redis = {
  description: {},
  reached: (revision) => ({ host: '127.0.0.1', port: revision === 'head' ? 2 : 3 }),
  empty: async () => {},
  assertAlive: async () => {},
  stop: async () => {},
}

const distantBy = (latency: string) =>
  distant({ server, redis }, ['base', 'head'], parseConfig(`redis: true\nlatency: ${latency}`, 'c.yml'), (targets) =>
    Relay.before(targets, (args) => ['php', '-n', join(SIDECARS, RELAY), ...args], apart()),
  )

test('without latency there is no relay', async () => {
  assert.deepEqual(await distantBy('{}'), { server, redis, relay: undefined })
})

test('a service without latency is reached directly', async () => {
  const far = await distantBy('{ redis: 2ms }')
  assert.deepEqual(far.server?.access, access)
  assert.deepEqual(far.server?.description, { kind: 'x' })
  assert.deepEqual(far.redis?.description, { latency_ms: 2, latency_by: 'relay' })
  far.relay?.close()
})

test('the servers of base and head stay two, behind one relay', async () => {
  const far = await distantBy('{ database: 1ms, redis: 0.5ms }')
  const ports = [far.server?.access.port, ...(['base', 'head'] as const).map((revision) => far.redis?.reached(revision).port)]
  assert.equal(new Set([...ports, 1, 2, 3]).size, 6)
  assert.equal(far.server?.description.latency_ms, 1)
  await far.redis?.assertAlive()
  far.relay?.close()
  await assert.rejects(async () => far.redis?.assertAlive(), /^MeasurementError: The relay of `latency` is gone: it was closed$/)
  assert.match((await far.server?.lost()) ?? '', /^The relay of `latency` is gone/)
})

test('the addresses stay if the kernel delays the answers', async () => {
  const rules = parseConfig('redis: true\nlatency: { database: 1ms, redis: 0.5ms }', 'c.yml')
  const asked: unknown[] = []
  const far = await distant({ server, redis }, ['base', 'head'], rules, async (targets) => {
    asked.push(...targets.map(({ port, delayMs }) => [port, delayMs]))
    return 'netem'
  })
  assert.deepEqual(asked, [
    [1, 1],
    [3, 0.5],
    [2, 0.5],
  ])
  assert.deepEqual([far.server?.access, far.redis?.reached('head'), far.relay], [access, redis.reached('head'), undefined])
  assert.deepEqual(far.server?.description, { kind: 'x', latency_ms: 1, latency_by: 'netem' })
  assert.deepEqual(far.redis?.description, { latency_ms: 0.5, latency_by: 'netem' })
})
