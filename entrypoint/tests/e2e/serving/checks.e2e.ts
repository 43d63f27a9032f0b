/** Every check on routes that break it, and on routes that do not, in each asynchronous mode. */
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { blocking } from '../../../checks/blocking.ts'
import { coldStart } from '../../../checks/cold-start.ts'
import type { Check, CheckContext } from '../../../checks/context.ts'
import type { Found } from '../../../checks/finding.ts'
import { leak } from '../../../checks/leak.ts'
import { pool } from '../../../checks/pool.ts'
import { recycle } from '../../../checks/recycle.ts'
import { reload } from '../../../checks/reload.ts'
import { state } from '../../../checks/state.ts'
import { PACKAGE } from '../../../config/catalog.ts'
import type { Mode } from '../../../config/experiment.ts'
import { parseConfig } from '../../../config/parse.ts'
import { workloadsOf } from '../../../config/workloads.ts'
import type { HostEngine } from '../../../engines/host/engine.ts'
import { which } from '../../../system/which.ts'
import { engineOver, hasExtension, temporary } from '../harness.ts'

const swoole = (await hasExtension('swoole')) ? false : 'php -m has no swoole'
const none = new AbortController().signal

for (const runtime of ['fibers', 'swoole'])
  describe(`in ${runtime}`, { skip: runtime === 'swoole' && swoole }, () => {
    let engine: HostEngine
    let mode: Mode
    before(async () => {
      ;({ engine, mode } = await served(runtime))
    })
    after(() => engine?.close())

    const findings = (check: Check, paths: readonly string[], seconds: number): Promise<Record<string, Found>> =>
      findingsOf({ engine, mode }, check, paths, seconds)

    test('a leak is broken, in PHP and outside; a filling pool, collected garbage or the last answer is not', async () => {
      const paths = ['small', 'large', 'outside', 'cache', 'circles', 'last', 'none'].map((name) => `/leak/${name}`)
      const found = await findings(leak, paths, 90)
      const states = Object.entries(found).map(([path, { state: of }]) => [path, of])
      assert.deepEqual(
        Object.fromEntries(states),
        {
          '/leak/small': 'broken',
          '/leak/large': 'broken',
          '/leak/outside': 'broken',
          '/leak/cache': 'held',
          '/leak/circles': 'held',
          '/leak/last': 'held',
          '/leak/none': 'held',
        },
        JSON.stringify(found, null, 1),
      )
      assert.match(
        found['/leak/small']?.sentence ?? '',
        /^memory grows by (1[89]\d|2[0-4]\d) KiB per 1,000 requests \(95 % CI .*, in PHP's own memory$/,
      )
      assert.match(found['/leak/outside']?.sentence ?? '', /outside of PHP's own memory/)
    })

    test('state that one request leaves for the next is broken, state that is set once is not', async () => {
      const broken = ['singleton', 'request', 'zone', 'locale', 'setting', 'handler', 'session']
      const paths = [...broken, 'constant', 'clean']
      for (const name of paths) {
        const path = `/state/${name}`
        const { [path]: found } = await findings(state, [path], 60)
        assert.equal(found?.state, broken.includes(name) ? 'broken' : 'held', `${path}: ${JSON.stringify(found)}`)
        if (name === 'singleton') {
          assert.match(
            found?.sentence ?? '',
            /GET \/state\/singleton as nobody differently from a fresh process: status 200 instead of 401/,
          )
          assert.match(found?.shown ?? '', /^fresh process: denied\nthis worker: {3}hello user 1\n {15}\^+/)
        }
        if (name === 'zone') assert.match(found?.sentence ?? '', /leaves behind: time zone$/)
      }
    })

    test('state that one route leaves for another is named at the route that shows it', async () => {
      const found = await findings(state, ['/state/zone', '/state/shown', '/state/clean'], 60)
      assert.equal(found['/state/clean']?.state, 'held', JSON.stringify(found))
      assert.match(found['/state/shown']?.sentence ?? '', /GET \/state\/shown.* differently from a fresh process: another body$/)
      assert.match(found['/state/shown']?.shown ?? '', /noon in UTC\nthis worker: .*noon in Europe\/Berlin/)
    })

    test('a call that blocks the worker is broken, and named; one that yields, and computing, are not', async () => {
      const found = await findings(blocking, ['/wait/sleep', '/wait/unhooked', '/wait/overlapping', '/wait/compute'], 60)
      assert.equal(found['/wait/sleep']?.state, runtime === 'swoole' ? 'held' : 'broken', JSON.stringify(found))
      assert.equal(found['/wait/unhooked']?.state, 'broken', JSON.stringify(found))
      assert.match(
        found['/wait/unhooked']?.sentence ?? '',
        /does not overlap: .*; its worker sits in clock_nanosleep\(\) \(sleep\(\), usleep\(\)\)(; |$)/,
      )
      assert.equal(found['/wait/overlapping']?.state, 'held', JSON.stringify(found))
      assert.equal(found['/wait/compute']?.state, 'held', JSON.stringify(found))
    })

    test('a first answer that is late is broken, and a quick one is not', async () => {
      const { '/wait/first': late } = await findings(coldStart, ['/wait/first'], 60)
      assert.equal(late?.state, 'broken', JSON.stringify(late))
      assert.match(late?.sentence ?? '', /^its first answer takes \d{3,4} ms, its hundredth [\d.]+ ms$/)
      const { '/wait/quick': quick } = await findings(coldStart, ['/wait/quick'], 60)
      assert.equal(quick?.state, 'held', JSON.stringify(quick))
    })

    test('a request that never ends is lost when the server ends, and one that does is answered', async () => {
      const { '/wait/overlapping': held } = await findings(reload, ['/wait/overlapping'], 60)
      assert.equal(held?.state, 'held', JSON.stringify(held))
      assert.match(held?.sentence ?? '', /SIGTERM: ended after \d+ ms, [1-9]\d* requests? in progress answered/)
      const { '/wait/endless': lost } = await findings(reload, ['/wait/endless'], 60)
      assert.equal(lost?.state, 'broken', JSON.stringify(lost))
      assert.match(
        lost?.sentence ?? '',
        /at SIGTERM [1-8] requests? that the app had begun got no answer \(GET \/wait\/endless: closed without an answer\)/,
      )
      assert.match(lost?.sentence ?? '', /its log says "forced termination"$/)
      assert.equal(/SIGUSR1/.test(`${held?.sentence}`), runtime === 'swoole')
    })

    test('workers are replaced after their requests; what never ends is lost, and the rest is answered', async () => {
      for (const path of ['/wait/overlapping', '/wait/quick']) {
        const { [path]: held } = await findings(recycle, [path], 60)
        assert.equal(held?.state, 'held', JSON.stringify(held))
        assert.match(
          held?.sentence ?? '',
          /^2 workers replaced after 20 requests or more each, within [\d.]+ s; \d{2,} requests answered, /,
        )
      }
      const { '/wait/rare': lost } = await findings(recycle, ['/wait/rare'], 60)
      assert.equal(lost?.state, 'broken', JSON.stringify(lost))
      assert.match(
        lost?.sentence ?? '',
        /^when a worker is replaced, \d+ requests? that the app had begun got no answer or an error \(GET \/wait\/rare: closed without an answer\)/,
      )
    })
  })

for (const runtime of ['fibers', 'swoole'])
  describe(`in ${runtime}, with an instance for all requests`, { skip: runtime === 'swoole' && swoole }, () => {
    let over: { engine: HostEngine; mode: Mode }
    before(async () => {
      over = await served(runtime, 'database: auto\nconnections: 4\ninstances: shared\n')
    })
    after(() => over?.engine.close())

    test('a pool that gives up, and connections without a limit, are broken; one that waits is not', async () => {
      const found = await findingsOf(
        over,
        pool,
        ['full', 'unlimited', 'limited'].map((name) => `/pool/${name}`),
        60,
      )
      const text = JSON.stringify(found, null, 1)
      const states = Object.values(found).map(({ state: of }) => of)
      assert.deepEqual(states, ['broken', 'broken', 'held'], text)
      assert.match(found['/pool/full']?.sentence ?? '', /^with 16 connections for 4 instances \d+ of \d+ requests fail \(\d+ status 500\)$/)
      assert.match(found['/pool/unlimited']?.sentence ?? '', /^with 16 connections it has 1\d at the database, with 4 it had [1-5]$/, text)
      // Eight, and one that a busy database has not closed yet.
      assert.match(found['/pool/limited']?.sentence ?? '', /: no errors, at most [1-9] connections at the database; /, text)
    })
  })

/** A check's findings by path. @param seconds its time limit */
async function findingsOf(
  { engine, mode }: { engine: HostEngine; mode: Mode },
  check: Check,
  paths: readonly string[],
  seconds: number,
): Promise<Record<string, Found>> {
  const routes = workloadsOf(parseConfig(`workloads: [${paths.map(workload).join(', ')}]`, 'test.yml'))
  const context: CheckContext = {
    ...{ engine, mode, hey: which('hey') as string, rscript: which('Rscript') as string, revisions: ['head'], routesOf: () => routes },
    ...{ concurrency: 8, connections: 4, recycleAfter: 20, deadline: Date.now() + seconds * 1000, signal: none },
  }
  const found = await check(context)
  return Object.fromEntries(found.map((each, i) => [paths[i] as string, each]))
}

/** Users request the routes of state. A request without the header is nobody's. */
function workload(path: string): string {
  const headers = path.startsWith('/state/') && !path.endsWith('/handler') ? ', headers: { Authorization: "Bearer {id}" }, ids: [1, 2]' : ''
  return `{ name: ${path.slice(1).replace('/', '-')}, path: ${path}${headers} }`
}

async function served(runtime: string, more = 'database: none\n'): Promise<{ engine: HostEngine; mode: Mode }> {
  const project = join(temporary(), 'project')
  cpSync(join(PACKAGE, 'entrypoint', 'tests', 'fixtures', 'checks-app'), project, { recursive: true })
  const { engine, modes } = await engineOver(
    project,
    `modes: [${runtime}]\nworkloads: [fibonacci]\nchecks: { recycle-after: 20 }\nphp: { ini: { memory_limit: 2G } }\n${more}`,
  )
  return { engine, mode: modes[0] as Mode }
}
