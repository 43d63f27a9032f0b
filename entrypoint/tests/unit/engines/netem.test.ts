/** The kernel's delay of answers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { netemBatch } from '../../../engines/docker/container/netem.ts'

test('answers of each server have a band of their own, and everything else the first', () => {
  const batch = netemBatch([
    { port: 3306, delayMs: 1 },
    { port: 6379, delayMs: 0.25 },
  ])
  assert.equal(
    batch,
    `qdisc add dev lo root handle 1: prio bands 3 priomap 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
qdisc add dev lo parent 1:2 handle 2: netem delay 1000us limit 100000
qdisc add dev lo parent 1:3 handle 3: netem delay 250us limit 100000
filter add dev lo parent 1: protocol ip prio 1 u32 match ip protocol 6 0xff match ip sport 3306 0xffff flowid 1:2
filter add dev lo parent 1: protocol ip prio 1 u32 match ip protocol 6 0xff match ip sport 6379 0xffff flowid 1:3
`,
  )
})
