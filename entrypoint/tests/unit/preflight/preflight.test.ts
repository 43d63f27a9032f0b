/** Preflight over a server with one failing request. The message names the answer. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import type { Arm } from '../../../config/experiment.ts'
import type { Workload } from '../../../config/workload.ts'
import type { Engine } from '../../../engines/engine.ts'
import { preflight } from '../../../preflight/preflight.ts'

const arm: Arm = { revision: 'head', mode: { name: 'own', kind: 'sync', via: 'command', command: 'app', health: '/' } }
const workload: Workload = { name: 'home', path: '/{id}', method: 'GET', headers: {}, expect: { status: 200 }, mask: [] }

/** Preflight over a server that answers 500, without a body, to its n-th request. Requests at a time: 4. */
async function preflightFailing(nth: number): Promise<{ requests: number }> {
  let requests = 0
  await preflightOf((response) => {
    requests++
    response.writeHead(requests === nth ? 500 : 200).end(requests === nth ? '' : 'right')
  })
  return { requests }
}

async function preflightOf(answer: (response: ServerResponse) => void, { revision } = arm): Promise<void> {
  const http = createServer((_, response) => answer(response)).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const server = { url, logTail: async () => '', stop: async () => undefined }
  const engine = { restore: async () => undefined, start: async () => server } as unknown as Engine
  const loads = [{ name: 'low', concurrency: 4 }]
  try {
    const signal = new AbortController().signal
    const database = { from: 'none' } as const
    const asked = {
      database,
      arms: [{ ...arm, revision }],
      workloadsOf: () => [workload],
      borrowed: new Set<string>(),
      loads,
      connections: 4,
    }
    await preflight({ engine, ...asked, signal, say: () => undefined })
  } finally {
    http.closeAllConnections()
    http.close()
  }
}

describe('preflight', () => {
  test('names the status of an error, whichever request gets it', async () => {
    const { requests } = await preflightFailing(0)
    // One alone, the first identity again, one for each, three rounds at once, and a cold start.
    assert.equal(requests, 1 + 1 + 4 + 3 * 4 + 4)
    // At the same time, because each waits until the log of its server is at rest.
    const failing = Array.from({ length: requests }, (_, i) => i + 1).map((nth) =>
      assert.rejects(
        preflightFailing(nth),
        /^MeasurementError: head\/own, workload home.*: GET \/\d: expected status 200, got 500 with ""$/,
        `request ${nth}`,
      ),
    )
    await Promise.all(failing)
  })

  test('distinguishes an answer that changes by itself from shared state, with a mask to copy', async () => {
    await assert.rejects(
      preflightOf((response) => response.end(JSON.stringify({ id: Math.random(), at: 7 }).replace('0.', ''))),
      /^MeasurementError: head\/own, workload home: GET \/1: two consecutive requests get different responses\. At character \d+: .* Does the app keep state between requests\? If the difference is allowed, add it to the workload's mask: mask: \['"id":\\d\+'\]$/,
    )
  })

  test('gives advice if base is broken, and only then', async () => {
    const broken = (response: ServerResponse): void => void response.writeHead(500).end()
    await assert.rejects(preflightOf(broken, { ...arm, revision: 'base' }), /got 500 with ""\nThis is base, .*: baseline: none\.$/)
    await assert.rejects(preflightOf(broken), /got 500 with ""$/)
  })
})
