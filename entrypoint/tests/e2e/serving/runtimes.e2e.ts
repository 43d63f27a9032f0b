/** The contract of a runtime: every kind of app sees the same requests, and sends the same responses, in all of them. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { names, PACKAGE } from '../../../config/catalog.ts'
import type { Mode } from '../../../config/experiment.ts'
import { phpRuntimes } from '../../../config/languages.ts'
import { parseConfig } from '../../../config/parse.ts'
import { runtimeNamed } from '../../../config/runtimes.ts'
import type { Workload } from '../../../config/workload.ts'
import { workloadsOf } from '../../../config/workloads.ts'
import type { Server } from '../../../engines/engine.ts'
import type { HostEngine } from '../../../engines/host/engine.ts'
import { loadedBy } from '../../../preflight/loaded.ts'
import { ask } from '../../../system/http.ts'
import { which } from '../../../system/which.ts'
import { engineOver, eventually, temporary, whySkipped } from '../harness.ts'
import { standInsOf } from '../stand-ins.ts'

/** The built-in workloads that need nothing but the runtime. */
const WORKLOADS = names('workloads')
  .map((name) => workloadsOf(parseConfig(`workloads: [${name}]`, 'c.yml'))[0] as Workload)
  .filter(({ builtIn }) => !builtIn?.database)
/** `TEST_RUNTIME=select` tests this runtime only. */
const only = process.env.TEST_RUNTIME
const RUNTIMES = only ? [runtimeNamed(only, PACKAGE, 'TEST_RUNTIME').name] : phpRuntimes()
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')

/** Why the instructions of a runtime are not counted with this app, or false. */
function whyUncounted(app: string, runtime: string): string | false {
  if (!runtimeNamed(runtime).processes.some((process) => process['runs-php'])) return 'not counted'
  if (!which('valgrind')) return 'valgrind is not installed'
  return app === 'closure' ? false : 'the same in every app'
}

for (const app of ['psr15', 'closure', 'kernel']) {
  for (const runtime of RUNTIMES) {
    const standIns = standInsOf(runtime)
    const skip = await whySkipped(runtime, Object.keys(standIns))
    const beside = Object.keys(standIns).map((name) => `, with a stand-in for ${name}`)
    describe(`${app} in ${runtime}${beside.join('')}`, { skip }, () => {
      let engine: HostEngine
      let mode: Mode
      let server: Server
      before(async () => {
        const project = join(temporary(), 'project')
        cpSync(join(PACKAGE, 'entrypoint', 'tests', 'fixtures', 'contract-app'), project, { recursive: true })
        const prepared = await engineOver(
          project,
          `app: bench/${app}.php\nmodes: [${runtime}]\nworkloads: [${WORKLOADS.map(({ name }) => name)}]`,
          standIns,
        )
        engine = prepared.engine
        mode = prepared.modes[0] as Mode
        server = await engine.start({ revision: 'head', mode }, 'preflight')
      })
      after(async () => {
        await server?.stop()
        await engine?.close()
      })
      const echo = async (path: string, options: Parameters<typeof ask>[1] = {}) =>
        JSON.parse((await ask(`${server.url}${path}`, options)).body)

      test('the app sees query, header and cookies', async () => {
        const seen = await echo('/echo?a=1&b[]=x&b[]=y%20z', { headers: { 'X-In': 'value', Cookie: 'c=1; d=%C3%A9' } })
        assert.deepEqual(
          [seen.method, seen.query, seen.header, seen.cookies],
          ['GET', { a: '1', b: ['x', 'y z'] }, 'value', { c: '1', d: 'é' }],
        )
      })

      for (const method of ['POST', 'PUT']) {
        test(`the app sees the form of a ${method}`, async () => {
          const seen = await echo('/echo', { method, headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'a=1&b[k]=2' })
          assert.deepEqual([seen.method, seen.form], [method, { a: '1', b: { k: '2' } }])
        })
      }

      test('the app sees a JSON body', async () => {
        const body = JSON.stringify({ text: 'ü'.repeat(50_000) })
        assert.equal((await echo('/echo', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })).body, sha1(body))
      })

      test('the app sees a form with an upload', async () => {
        const content = `line\r\n--other\r\n${'x'.repeat(100_000)}`
        const body = [
          '--B',
          'Content-Disposition: form-data; name="a"',
          '',
          '1',
          '--B',
          'Content-Disposition: form-data; name="f"; filename="f.txt"',
          'Content-Type: text/plain',
          '',
          content,
          '--B--',
          '',
        ].join('\r\n')
        const seen = await echo('/echo', { method: 'POST', headers: { 'Content-Type': 'multipart/form-data; boundary=B' }, body })
        assert.deepEqual(
          [seen.form, seen.files],
          [{ a: '1' }, [{ name: 'f.txt', type: 'text/plain', size: content.length, sha1: sha1(content) }]],
        )
      })

      test('the client sees status, repeated headers and cookies', async () => {
        const answer = await ask(`${server.url}/headers`)
        assert.equal(answer.status, 202)
        assert.equal(answer.headers['x-two'], 'a, b')
        assert.deepEqual(
          (answer.headers['set-cookie'] as string[]).map((line) => line.split(';')[0]),
          ['one=1', 'two=2'],
        )
        assert.equal(answer.headers['content-encoding'], undefined)
      })

      test("a response without a type gets PHP's, and text gets a charset", async () => {
        const types = await Promise.all(
          ['/headers', '/output', '/echo'].map(async (path) => (await ask(server.url + path)).headers['content-type']),
        )
        assert.deepEqual(
          types.map((type) => String(type).toLowerCase().replace('; ', ';')),
          ['text/html;charset=utf-8', 'text/plain;charset=utf-8', 'application/json'],
        )
      })

      test('a response to HEAD has no body', async () => {
        const { status, body } = await ask(`${server.url}/echo`, { method: 'HEAD' })
        assert.deepEqual([status, body], [200, ''])
      })

      test('preflight sees the files that a request loads', async () => {
        const workload: Workload = { name: 'a', path: '/output', method: 'GET', headers: {}, expect: { status: 200 }, mask: [] }
        const loaded = await loadedBy(server, workload)
        assert.equal(loaded?.perRequest, !runtimeNamed(runtime).stateful)
        assert.ok(loaded?.files.includes(`bench/${app}.php`) && loaded.files.includes('src/Behaviour.php'), String(loaded?.files))
      })

      test('an exception becomes a 500, and the next request succeeds', async () => {
        assert.equal((await ask(`${server.url}/throw`)).status, 500)
        assert.equal((await ask(`${server.url}/output`)).status, 200)
        // php-fpm's main process writes it, perhaps after the answer.
        await eventually(
          () => server.logTail(),
          (log) => /thrown on purpose/.test(log),
        )
      })

      test('echoed text comes before the body', async () => {
        assert.equal((await ask(`${server.url}/output`)).body, 'echoed returned')
      })

      test('a streamed response is complete', { skip: app === 'kernel' ? false : 'PSR-7 has no callback that echoes' }, async () => {
        assert.equal((await ask(`${server.url}/stream`)).body, 'one two three')
      })

      for (const { name, path, expect } of WORKLOADS) {
        test(`the same process serves the built-in workload ${name}`, async () => {
          const answers = await Promise.all(Array.from({ length: 4 }, () => ask(server.url + path)))
          for (const { status, body } of answers) {
            assert.equal(status, expect.status, body)
            assert.ok(expect.contains && body.includes(expect.contains), body)
          }
        })
      }

      const calls = app === 'closure' ? false : 'the same in every app'
      test('ten calls of a slow upstream overlap if a process serves several requests at a time', { skip: calls }, async () => {
        const tookMs = async (): Promise<number> => {
          const began = performance.now()
          const { status, body } = await ask(`${server.url}/_bench/upstream?calls=10&delay-ms=100`)
          assert.deepEqual([status, body], [200, `{"status":"success","delays_ms":[${Array(10).fill(100)}]}`])
          return performance.now() - began
        }
        const all = [await tookMs(), await tookMs(), await tookMs()]
        const [least, most] = [Math.min(...all), Math.max(...all)]
        assert.ok(least >= 100, `${least} ms`)
        if (runtimeNamed(runtime).concurrent) assert.ok(least < 500, `at best ${least} ms`)
        else assert.ok(least >= 1000, `${least} to ${most} ms`)
      })

      const uncounted = whyUncounted(app, runtime)
      test('counts of its instructions hardly vary', { skip: uncounted }, async () => {
        const counted = await engine.startCounted({ revision: 'head', mode }, 'valgrind')
        try {
          const path = `${counted.url}/output`
          // On one connection, so that the loop of an idle server turns as little as possible between two requests.
          const load = [which('hey') as string, '-n', '100', '-c', '1', '-cpus', '1', path]
          await counted.countWhile(load)
          const each: number[] = []
          for (let i = 0; i < 5; i++) {
            const done = await counted.countWhile(load)
            assert.equal(done.code, 0, done.stderr)
            each.push(done.instructions / 100)
          }
          // How often an event loop turns for one request depends on the machine's load. So the outer counts are left out.
          const [, least = 0, , most = 0] = each.toSorted((a, b) => a - b)
          assert.ok(least > 10_000 && most / least < 1.02, each.join(', '))
          assert.equal(await counted.lost(), undefined)
        } finally {
          await counted.stop()
        }
      })

      test("16 concurrent clients never see each other's data, with a database", async () => {
        const wrong: string[] = []
        await Promise.all(
          Array.from({ length: 16 }, async (_, client) => {
            for (let round = 0; round < 20; round++) {
              const id = `${client}-${round}`
              const { body } = await ask(`${server.url}/user?id=${id}`)
              if (body !== `${id}/${id}`) wrong.push(`${id} got ${body}`)
            }
          }),
        )
        assert.deepEqual(wrong, [])
      })

      const oneTells = app === 'psr15' ? false : 'one kind of app tells'
      test("a command that the app runs is no lost process, and its CPU time counts as the server's", { skip: oneTells }, async () => {
        const spent = async (path: string): Promise<number> => {
          const before = await server.usage()
          for (let i = 0; i < 5; i++) assert.equal((await ask(`${server.url}${path}`)).status, 200)
          return (await server.usage()).cpuUs - before.cpuUs
        }
        const idle = await spent('/command?ms=0')
        const busy = await spent('/command?ms=60')
        assert.ok(busy - idle > 5 * 60_000 * 0.7, `${busy} us with 5 commands of 60 ms of CPU time, ${idle} us without`)
        assert.equal(await server.lost(), undefined)
      })

      test('exit gets a response, or the loss of the worker is noticed', async () => {
        const answer = await ask(`${server.url}/exit`).catch(() => undefined)
        if (runtimeNamed(runtime).cannot.exit) {
          await eventually(
            () => server.lost(),
            (change) => /ended or were replaced/.test(change ?? ''),
          )
        } else {
          const advice = `If its server cannot answer after exit, add to runtime.yml: cannot: { exit: "what happens then" }`
          assert.equal(answer?.body, 'before exit', `${runtime}: found ${answer?.body ?? 'no response'} to exit. ${advice}`)
          assert.equal(await server.lost(), undefined)
        }
        if (runtime === 'fibers') {
          await eventually(
            () => server.logTail(),
            (log) => /worker \d+ died/.test(log),
          )
        }
      })
    })
  }
}
