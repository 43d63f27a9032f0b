/** A mode that promises to overlap waits, over a server that does not. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { thrownOutcome } from '../../../analyse/outcome.ts'
import type { Arm } from '../../../config/experiment.ts'
import { runtimeNamed } from '../../../config/runtimes.ts'
import type { Engine, Server } from '../../../engines/engine.ts'
import { againIfHeadFails } from '../../../preflight/head-alone.ts'
import { checkWaiting } from '../../../preflight/servers.ts'

test('a head that alone blocks while it waits has regressed', async () => {
  const http = createServer((_, response) => void sleep(451).then(() => response.end())).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const server = { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` } as Server
  const runtime = runtimeNamed('swoole')
  const arms = (['base', 'head'] as const).map(
    (revision): Arm => ({ revision, mode: { name: 'swoole', kind: 'async', via: 'runtime', runtime } }),
  )
  const engine = { assertAlive: async () => undefined } as unknown as Engine
  try {
    // The check tries six times, so it is made once here.
    const failure: unknown = await checkWaiting(server, arms[1] as Arm, runtime, { connections: 16, workers: 2 }).catch(
      (error: unknown) => error,
    )
    const check = (): Promise<void> => Promise.reject(failure)
    const failing = againIfHeadFails(check, arms[1] as Arm, { engine, arms, newInHead: new Set(), say: () => undefined })
    const { verdict, parts } = thrownOutcome(await failing.catch((error: unknown) => error))
    assert.equal(verdict, 'regressed')
    assert.match(parts.analysis, /^## ❌ Regressed: head waits without yielding\n[\s\S]*16 waits of 100 ms side by side took [4-9]\d\d ms/)
  } finally {
    http.close()
    http.closeAllConnections()
  }
})

test('a late machine does not look like a server that waits for one after the other', async () => {
  const http = createServer((_, response) => void sleep(300).then(() => response.end())).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const server = { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` } as Server
  const runtime = runtimeNamed('swoole')
  const arm: Arm = { revision: 'head', mode: { name: 'swoole', kind: 'async', via: 'runtime', runtime } }
  try {
    // Two workers would need 800 ms, four of them 400.
    assert.equal((await checkWaiting(server, arm, runtime, { connections: 16, workers: 2 })).waits_overlap, true)
    await assert.rejects(
      checkWaiting(server, arm, runtime, { connections: 16, workers: 4 }),
      /16 waits of 100 ms side by side took 3\d\d ms/,
    )
  } finally {
    http.close()
    http.closeAllConnections()
  }
})
