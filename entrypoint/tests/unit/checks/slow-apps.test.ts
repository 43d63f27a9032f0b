/** On an app that answers slowly, a check ends soon after its time, and says which routes it did not finish. */
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { coldStart } from '../../../checks/cold-start.ts'
import type { CheckContext } from '../../../checks/context.ts'
import { fitting, leak } from '../../../checks/leak.ts'
import { state } from '../../../checks/state.ts'
import { parseConfig } from '../../../config/parse.ts'
import { workloadsOf } from '../../../config/workloads.ts'

let answerMs = 150
const app = createServer(async (_, response) => {
  await sleep(answerMs)
  response.end('slow')
})
let url = ''
before(async () => {
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(app.address() as AddressInfo).port}`
})
after(() => app.close())

/** Like hey on a slow app: it waits for the requests in flight. */
const hey = join(mkdtempSync(join(tmpdir(), 'hey-')), 'hey')
writeFileSync(hey, `#!/bin/sh\nsleep 0.7\necho '{"total":1,"num":1,"errors":"7b7d","lats":[1],"offsets":[0],"codes":[200]}'\n`)
chmodSync(hey, 0o755)

function context(seconds: number): CheckContext {
  const held = { workers: [{ pid: 1, heap: 1000, mapped: 0 }] }
  const server = { url, stop: async () => {}, eachWorker: async (path: string) => (path.endsWith('memory') ? held : { workers: [{}] }) }
  const engine = { name: 'host', restore: async () => {}, start: async () => ({ ...server, usage: async () => ({ memoryKib: 1 }) }) }
  const routes = workloadsOf(parseConfig('workloads: [/a, /b, /c]', 'x.yml'))
  return {
    ...{ engine, hey, rscript: '/nowhere', revisions: ['head'], routesOf: () => routes, concurrency: 8, connections: 16 },
    ...{ deadline: Date.now() + seconds * 1000, signal: new AbortController().signal },
  } as unknown as CheckContext
}

for (const [name, check, seconds] of [
  ['state', state, 0.6],
  ['leak', leak, 9],
] as const)
  test(`the check ${name}`, { timeout: 60_000 }, async () => {
    const begun = Date.now()
    const found = await check(context(seconds))
    assert.ok(Date.now() - begun < 1000 * seconds + 1000, `${Date.now() - begun} ms`)
    assert.deepEqual(
      found.map(({ route, state: of, sentence, isOwed }) => [route, of, sentence, isOwed]),
      ['/a', '/b', '/c'].map((path) => [`GET ${path}`, 'not-checked', 'the time for checks was over', true]),
    )
  })

test('a worker that ends in its first slice is named as the reason', async () => {
  answerMs = 0
  const given = context(60)
  let pid = 0
  const eachWorker = async () => ({ workers: [{ pid: ++pid, heap: 1000, mapped: 0 }] })
  const start = async () => ({ url, stop: async () => {}, eachWorker, usage: async () => ({ memoryKib: 1 }) })
  const found = await leak({ ...given, engine: { ...given.engine, start } as unknown as CheckContext['engine'] })
  assert.deepEqual(
    found.map(({ state: of, sentence, isOwed }) => [of, sentence, isOwed]),
    Array(3).fill(['not-checked', 'its worker ended during the soak, before enough was seen', true]),
  )
})

test('a slow start is found although it leaves time for two starts only', async () => {
  answerMs = 0
  const given = context(1)
  const start = async ({ revision }: { revision: string }) => {
    await sleep(revision === 'head' ? 1000 : 1)
    return { url, stop: async () => {} }
  }
  const engine = { ...given.engine, start } as unknown as CheckContext['engine']
  let turns = 0
  const slow: CheckContext = { ...given, engine, revisions: ['base', 'head'] }
  Object.defineProperty(slow, 'deadline', { get: () => (turns++ < 2 ? Number.POSITIVE_INFINITY : 0) })
  const [base, head] = await coldStart(slow)
  assert.deepEqual([base?.state, head?.state], ['held', 'broken'], JSON.stringify([base, head]))
})

test('routes are soaked as long as their slices fit, the first ones first', () => {
  assert.deepEqual([fitting([100, 100, 100], 5100, 17), fitting([100, 100, 100], 5099, 17), fitting([400, 1], 6000, 17)], [3, 2, 0])
})
