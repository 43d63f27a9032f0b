/** The slow upstream: how late it answers, what it refuses and what it costs. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parseConfig } from '../../../config/parse.ts'
import { workloadsOf } from '../../../config/workloads.ts'
import { SIDECARS, usesOf } from '../../../engines/shared/sidecar.ts'
import { needsUpstream, UPSTREAM, Upstream } from '../../../engines/shared/upstream.ts'
import { apart } from '../../../system/environment.ts'
import { ask } from '../../../system/http.ts'

describe('the slow upstream', () => {
  let upstream: Upstream
  before(async () => {
    upstream = await Upstream.start(['php', '-n', join(SIDECARS, UPSTREAM)], apart())
  })
  after(() => upstream.close())

  const call = async (path: string): Promise<{ status: number; body: string; ms: number }> => {
    const began = performance.now()
    const { status, body } = await ask(`http://${upstream.address}${path}`, { timeoutMs: 20_000 })
    return { status, body, ms: performance.now() - began }
  }

  test('answers each call as late as the call asks for, never earlier', async () => {
    const delays = [300, 20, 100, 1, 150]
    const answers = await Promise.all(delays.map((delay) => call(`/${delay}`)))
    for (const [i, { status, body, ms }] of answers.entries()) {
      const delay = delays[i] as number
      assert.deepEqual([status, body], [200, `{"delay_ms":${delay}}`])
      assert.ok(ms >= delay, `${ms} instead of ${delay} ms`)
    }
  })

  test('is late by little, even after 20 calls', async () => {
    const late: number[] = []
    for (let i = 0; i < 40; i++) late.push((await call('/10')).ms - 10)
    // A busy machine wakes it late now and then. A lateness of its own, or one that adds up, would be in every later call.
    const least = Math.min(...late.slice(20))
    assert.ok(least < 5, `${least} ms late`)
  })

  test('answers 200 calls that wait at once when each is due', async () => {
    const began = performance.now()
    const answers = await Promise.all(Array.from({ length: 200 }, () => call('/200')))
    assert.ok(answers.every(({ status }) => status === 200))
    assert.ok(performance.now() - began < 2000)
  })

  test('takes less than a millisecond of CPU time per call, and none while calls wait', async () => {
    const spent = async (): Promise<number> => (await usesOf([upstream])).upstream?.cpuUs ?? Number.NaN
    const before = await spent()
    await Promise.all(Array.from({ length: 100 }, () => call('/500')))
    const used = (await spent()) - before
    assert.ok(used > 0 && used < 100_000, `${used} us for 100 calls of 500 ms`)
  })

  test('refuses what is no delay', async () => {
    for (const path of ['/', '/x', '/12345', '/-1']) assert.equal((await call(path)).status, 400, path)
  })

  test('refuses more calls at once than it can answer in time, and says so', async () => {
    const answers = await Promise.all(Array.from({ length: 950 }, () => call('/1500')))
    const refused = answers.filter(({ status }) => status === 503)
    assert.ok(refused.length >= 50 && refused.length < 950, String(refused.length))
    assert.match(refused[0]?.body ?? '', /^More than 900 calls at once\. Use fewer connections or calls\.$/)
    assert.equal((await call('/1')).status, 200)
  })
})

test('an upstream that is gone says so', async () => {
  const upstream = await Upstream.start(['php', '-n', join(SIDECARS, UPSTREAM)], apart())
  upstream.close()
  await assert.rejects(() => usesOf([undefined, upstream]), /^MeasurementError: The slow upstream stopped answering: it was closed$/)
})

test('it is needed if a workload of any revision calls it', () => {
  const of = (name: string) => ({ workloads: workloadsOf(parseConfig(`workloads: [${name}]`, 'c.yml')) })
  assert.equal(needsUpstream({ base: of('fibonacci'), head: of('upstream') }), true)
  assert.equal(needsUpstream({ base: of('fibonacci') }), false)
})
