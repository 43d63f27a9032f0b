/** What breaks the check of recycling: requests that the app had begun, and workers that stay. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judged, type Recycled } from '../../../checks/recycle.ts'
import type { Visit } from '../../../checks/visits.ts'

const visit = (id: number, failure?: string, ms = 10): Visit => ({
  ...{ id, sentAt: 100 * id, endedAt: 100 * id + ms, route: 'GET /a', ...(failure === undefined ? {} : { failure }) },
})
const begun = (...ids: number[]): string => ids.map((id) => `begun ${id}\n`).join('')
const LOST = 'closed without an answer'
const seen = (visits: Visit[], log: string, more: Partial<Recycled> = {}): Recycled => ({
  ...{ visits, log, after: 10, workers: 2, left: 0, tookMs: 1200, ...more },
})

test('answers to all that the app had begun have held, and others are told', () => {
  assert.deepEqual(judged(seen([visit(1), visit(2), visit(3, 'refused')], begun(1, 2))), {
    state: 'held',
    sentence:
      '2 workers replaced after 10 requests or more each, within 1.2 s; 2 requests answered, 1 lost that the app had not begun, p99 10 ms',
  })
})
test('a request that the app had begun breaks it, whether it is lost or answered with an error', () => {
  for (const failure of [LOST, 'status 502']) {
    assert.deepEqual(judged(seen([visit(1), visit(2, failure)], begun(1, 2))), {
      state: 'broken',
      sentence: `when a worker is replaced, 1 request that the app had begun got no answer or an error (GET /a: ${failure})`,
    })
  }
})
test('workers that stay are broken once they had requests enough, and open before', () => {
  const visits = Array.from({ length: 60 }, (_, i) => visit(i + 1))
  const log = begun(...visits.map(({ id }) => id))
  assert.equal(
    judged(seen(visits, log, { left: 1 })).sentence,
    '1 worker of 2 still run after 60 requests, and should be replaced after 10 each',
  )
  assert.deepEqual(judged(seen(visits.slice(1), log, { left: 1 })), {
    ...{ state: 'not-checked', isOwed: true },
    sentence: '59 requests in 1.2 s are too few to replace every worker: lower recycle-after (10)',
  })
})
test('a worker that is ended by force is broken, unless requests waited that the app never saw', () => {
  const log = `${begun(1)}WARNING worker exit timeout, forced termination\n`
  assert.deepEqual(judged(seen([visit(1)], log)), { state: 'broken', sentence: 'its log says "forced termination"' })
  const held = judged(seen([visit(1), visit(2, LOST, 3050)], log))
  assert.equal(held.state, 'held')
  assert.match(held.sentence, /; its log says "forced termination", while 1 request waited that the app had not begun$/)
})
