/** Preflight over a server with one failing request. The message names the answer. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { thrownOutcome } from '../../../analyse/outcome.ts'
import type { Arm, Revision } from '../../../config/experiment.ts'
import type { Workload } from '../../../config/workload.ts'
import type { Engine } from '../../../engines/engine.ts'
import { type PreflightFound, preflight } from '../../../preflight/preflight.ts'
import type { HeadFailed } from '../../../system/errors.ts'

const arm: Arm = { revision: 'head', mode: { name: 'own', kind: 'sync', via: 'command', command: 'app', health: '/' } }
const workload: Workload = { name: 'home', path: '/{id}', method: 'GET', headers: {}, expect: { status: 200 }, mask: [] }

/** Preflight over a server that answers 500, without a body, to its n-th request. Requests at a time: 4. */
async function preflightFailing(nth: number): Promise<{ requests: number }> {
  let requests = 0
  await preflightOf((response) => {
    requests++
    response.writeHead(requests === nth ? 500 : 200).end(requests === nth ? '' : 'right')
  }, 'head')
  return { requests }
}

function preflightOf(
  answer: (response: ServerResponse, revision: Revision) => void,
  ...revisions: [Revision, ...Revision[]]
): Promise<PreflightFound> {
  return preflightWithout([], answer, ...revisions)
}

/** @param ungated names of workloads that are not compared with base */
async function preflightWithout(
  ungated: string[],
  answer: (response: ServerResponse, revision: Revision) => void,
  ...revisions: [Revision, ...Revision[]]
): Promise<PreflightFound> {
  let started: Revision = revisions[0]
  const http = createServer((_, response) => answer(response, started)).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const server = {
    url,
    usage: async () => ({ memoryKib: 7 * 1024 }),
    logTail: async () => '',
    log: async () => 'all of the log',
    stop: async () => undefined,
  }
  const start = async ({ revision }: Arm): Promise<typeof server> => {
    started = revision
    return server
  }
  const engine = { restore: async () => undefined, assertAlive: async () => undefined, start } as unknown as Engine
  const loads = [{ name: 'low', concurrency: 4 }]
  try {
    const signal = new AbortController().signal
    const database = { from: 'none' } as const
    const asked = {
      database,
      arms: revisions.map((revision) => ({ ...arm, revision })),
      workloadsOf: () => [workload],
      borrowed: new Set<string>(),
      ungated: new Set(ungated),
      loads,
      connections: 4,
    }
    return await preflight({ engine, ...asked, signal, say: () => undefined })
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
        /^MeasurementError: head\/own, workload home.*: GET \/\d: expected status 200, got 500 with ""\nThe arm holds 7 MiB\.$/,
        `request ${nth}`,
      ),
    )
    await Promise.all(failing)
  })

  test('distinguishes an answer that changes by itself from shared state, with a mask to copy', async () => {
    await assert.rejects(
      preflightOf((response) => response.end(JSON.stringify({ id: Math.random(), at: 7 }).replace('0.', '')), 'head'),
      /^MeasurementError: head\/own, workload home: GET \/1: two consecutive requests get different responses\. At character \d+: .* Does the app keep state between requests\? If the difference is allowed, add it to the workload's mask: mask: \['"id":\\d\+'\]$/,
    )
  })

  test('gives advice if base is broken, and only then', async () => {
    const broken = (response: ServerResponse): void => void response.writeHead(500).end()
    await assert.rejects(preflightOf(broken, 'base'), /got 500 with ""\nThe arm holds 7 MiB\.\nThis is base, .*: baseline: none\.$/)
    await assert.rejects(preflightOf(broken, 'head'), /got 500 with ""\nThe arm holds 7 MiB\.$/)
  })

  test('a head that fails twice where base does not is a regression, with its log', async () => {
    const broken = (response: ServerResponse, revision: Revision): void => void response.writeHead(revision === 'head' ? 500 : 200).end()
    await assert.rejects(preflightOf(broken, 'base', 'head'), (error: HeadFailed) => {
      assert.match(
        error.message,
        /^head\/own fails twice in preflight, while base passes it\. Nothing was measured\.\nhead\/own, .* got 500/,
      )
      assert.equal(error.failure.log, 'all of the log')
      const outcome = thrownOutcome(error)
      assert.deepEqual([outcome.verdict, outcome.exitCode], ['regressed', 1])
      assert.match(outcome.parts.analysis, /^## ❌ Regressed: head answers with errors\n/)
      return true
    })
  })

  test('a head that fails in a workload that base defines differently is no regression', async () => {
    const broken = (response: ServerResponse, revision: Revision): void => void response.writeHead(revision === 'head' ? 404 : 200).end()
    await assert.rejects(preflightWithout(['home'], broken, 'base', 'head'), (error: unknown) => {
      assert.equal(thrownOutcome(error).verdict, 'invalid')
      return true
    })
  })

  test('a head that fails once is measured, with a warning', async () => {
    let requests = 0
    const once500 = (response: ServerResponse, revision: Revision): void => {
      response.writeHead(revision === 'head' && ++requests === 1 ? 500 : 200).end()
    }
    const { warnings } = await preflightOf(once500, 'base', 'head')
    assert.match(warnings.join('\n'), /^head\/own failed in preflight, and passed when it was repeated\. The failure: .* got 500/)
  })

  test('a response that needs a mask is no regression', async () => {
    const unsteady = (response: ServerResponse, revision: Revision): void =>
      void response.end(revision === 'head' ? String(process.hrtime.bigint()) : 'right')
    await assert.rejects(preflightOf(unsteady, 'base', 'head'), /^MeasurementError: .* two consecutive requests get different responses/)
  })
})
