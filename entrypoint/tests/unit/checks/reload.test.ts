/** Which requests are lost by a signal: those that the app had begun. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CheckContext } from '../../../checks/context.ts'
import { judged, reload, type Seen } from '../../../checks/reload.ts'
import type { Visit } from '../../../checks/visits.ts'
import { modesOf } from '../../../config/modes.ts'
import { parseConfig } from '../../../config/parse.ts'
import { workloadsOf } from '../../../config/workloads.ts'

const visit = (id: number, sentAt: number, endedAt: number, failure?: string): Visit => ({
  ...{ id, sentAt, endedAt, route: 'GET /a', ...(failure === undefined ? {} : { failure }) },
})
const begun = (...ids: number[]): string => ids.map((id) => `begun ${id}\n`).join('')
const LOST = 'closed without an answer'

/** Reloaded after a second, ended after two. */
const seen = (visits: Visit[], log: string, more: Partial<Seen> = {}): Seen => ({
  visits,
  reload: { signal: 'SIGUSR1', at: 1000, tookMs: 50 },
  end: { signal: 'SIGTERM', at: 2000, tookMs: 40 },
  drains: true,
  log,
  ...more,
})
const usual = [visit(1, 100, 110), visit(2, 990, 1010), visit(3, 1500, 1510), visit(4, 1990, 2010)]

test('requests in progress that are answered, and others that are refused, have held', () => {
  assert.deepEqual(judged(seen([...usual, visit(5, 2020, 2021, 'refused')], begun(1, 2, 3, 4))), {
    state: 'held',
    sentence:
      'SIGUSR1: workers replaced after 50 ms, 1 request in progress answered, 0 lost that the app had not begun, p99 20 ms; ' +
      'SIGTERM: ended after 40 ms, 1 request in progress answered, 0 lost that the app had not begun (before: p99 10 ms)',
  })
})
test('a request that the app had begun breaks it, one that it had not is told', () => {
  assert.equal(
    judged(seen([...usual, visit(5, 995, 1020, LOST), visit(6, 1999, 2020, LOST)], begun(1, 2, 3, 4, 5, 6))).sentence,
    'at SIGUSR1 1 request that the app had begun got no answer (GET /a: closed without an answer); ' +
      'at SIGTERM 1 request that the app had begun got no answer (GET /a: closed without an answer)',
  )
  const unread = judged(seen([...usual, visit(5, 995, 1020, LOST)], begun(1, 2, 3, 4)))
  assert.equal(unread.state, 'held')
  assert.match(unread.sentence, /1 lost that the app had not begun, p99/)
})
test('a server that drops what is in progress at its end breaks nothing, but what it does at a reload counts', () => {
  const end = judged(seen([...usual, visit(5, 1999, 2020, LOST)], begun(1, 2, 3, 4, 5), { drains: false }))
  assert.equal(end.state, 'held')
  assert.match(end.sentence, /0 lost that the app had not begun, 1 in progress dropped by this server, whatever the app does \(before/)
  const failed = judged(seen([...usual, visit(5, 1999, 2020, 'status 500')], begun(1, 2, 3, 4, 5), { drains: false }))
  assert.match(failed.sentence, /^at SIGTERM 1 request .* \(GET \/a: status 500\)/)
  const reloaded = judged(seen([...usual, visit(5, 995, 1020, LOST)], begun(1, 2, 3, 4, 5), { drains: false }))
  assert.match(reloaded.sentence, /^at SIGUSR1 1 request that the app had begun got no answer/)
})
test('new workers that answer with errors break it', () => {
  assert.equal(
    judged(seen([...usual, visit(5, 1400, 1410, 'status 500')], begun(1, 2, 3, 4, 5))).sentence,
    'after SIGUSR1 1 of 2 requests fail (GET /a: status 500)',
  )
})
test('a server that does not do as it is told, or says that it was forced, is broken', () => {
  const late = { reload: { signal: 'SIGUSR1', at: 1000 }, end: { signal: 'SIGTERM', at: 2000 } } as const
  assert.equal(
    judged(seen(usual, `${begun(1, 2, 3, 4)}WARNING worker exit timeout, forced termination\n`, late)).sentence,
    '6 s after SIGUSR1 its old workers still run; 10 s after SIGTERM it still runs; its log says "forced termination"',
  )
})
test('a worker that is ended by force is broken, unless requests waited that the app never saw', () => {
  const log = `${begun(1, 2, 3, 4)}WARNING worker exit timeout, forced termination\n`
  const end = { signal: 'SIGTERM', at: 2000, tookMs: 3050 } as const
  const forced = (...more: Visit[]) => judged(seen([...usual, ...more], log, { end }))
  // A timer of the app keeps it busy. Requests that are lost at once, or refused, do not.
  for (const harmless of [[], [visit(5, 1999, 2030, LOST)], [visit(5, 2100, 2101, 'refused')]]) {
    assert.deepEqual(forced(...harmless), { state: 'broken', sentence: 'its log says "forced termination"' })
  }
  const held = forced(visit(5, 1999, 5040, LOST))
  assert.equal(held.state, 'held')
  assert.match(held.sentence, /its log says "forced termination", while 1 request waited that the app had not begun \(before: /)
  // A request that the app had begun is the app's own.
  assert.match(
    judged(seen([...usual, visit(5, 1999, 5040, LOST)], `${begun(5)}${log}`, { end })).sentence,
    /^at SIGTERM 1 request .*; its log says/,
  )
})
test('a runtime without a signal for it says so', () => {
  const found = judged(seen(usual, begun(1, 2, 3, 4), { reload: 'fibers has no signal for it' }))
  assert.equal(
    found.sentence,
    'SIGTERM: ended after 40 ms, 1 request in progress answered, 0 lost that the app had not begun; a reload is not checked: fibers has no signal for it',
  )
})

/** Under load, the server never reads the requests after SIGTERM, and ends after a second by force. @param quiet its log without load */
async function forcedEnd(quiet: string): Promise<Awaited<ReturnType<typeof reload>>[number]> {
  let isEnding = false
  let starts = 0
  const app = createServer((_, response) => {
    if (!isEnding) response.end('a')
  })
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
  const start = async () => {
    starts++
    isEnding = false
    let isRunning = true
    return {
      url: `http://127.0.0.1:${(app.address() as AddressInfo).port}`,
      eachWorker: async () => ({ workers: [{ pid: 1 }] }),
      signal: async () => {
        isEnding = true
        setTimeout(
          () => {
            isRunning = false
            app.closeAllConnections()
          },
          starts === 1 ? 1200 : 50,
        )
      },
      isRunning: async () => isRunning,
      log: async () => (starts === 1 ? 'WARNING worker exit timeout, forced termination\n' : quiet),
      stop: async () => {},
    }
  }
  const engine = { name: 'host', restore: async () => {}, start }
  const config = parseConfig('modes: [fibers]\nworkloads: [/a]', 'x.yml')
  const context = { engine, mode: modesOf(config)[0], revisions: ['head'], routesOf: () => workloadsOf(config) }
  const more = { concurrency: 4, deadline: Date.now() + 60_000, signal: new AbortController().signal }
  try {
    const [found] = await reload({ ...context, ...more } as unknown as CheckContext)
    await sleep(0)
    return found as NonNullable<typeof found>
  } finally {
    app.close()
    app.closeAllConnections()
  }
}

test('a worker that is ended by force without any request is broken, whatever waited under load', async () => {
  const [held, broken] = await Promise.all([forcedEnd(''), forcedEnd('forced termination\n')])
  assert.equal(held.state, 'held', held.sentence)
  assert.match(held.sentence, /"forced termination", while \d requests? waited that the app had not begun/)
  assert.deepEqual([broken.state, broken.sentence], ['broken', 'its log says "forced termination" even if no request is in progress'])
})
