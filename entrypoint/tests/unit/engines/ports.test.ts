/** Free ports for servers that start at the same time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../../../engines/host/ports.ts'

test('servers that start at the same time get different ports', async () => {
  const ports: number[] = []
  for (let i = 0; i < 800; i++) ports.push(await freePort())
  assert.equal(new Set(ports).size, ports.length)
})
