/** Every runtime with every kind of app: an app sees and sends the same in all of them. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cpSync, readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
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
import { engineOver, eventually, hasExtension, temporary, whySkipped } from '../harness.ts'

/** The built-in workloads that need nothing but the runtime. */
const WORKLOADS = names('workloads')
  .map((name) => workloadsOf(parseConfig(`workloads: [${name}]`, 'c.yml'))[0] as Workload)
  .filter(({ builtIn }) => !builtIn?.database)
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')
const swoole = await hasExtension('swoole')

for (const app of ['psr15', 'closure', 'kernel']) {
  for (const runtime of phpRuntimes()) {
    const skip = await whySkipped(runtime)
    describe(`${app} in ${runtime}`, { skip }, () => {
      let engine: HostEngine
      let mode: Mode
      let server: Server
      before(async () => {
        const project = join(temporary(), 'project')
        cpSync(join(PACKAGE, 'entrypoint', 'tests', 'fixtures', 'contract-app'), project, { recursive: true })
        const prepared = await engineOver(
          project,
          `app: bench/${app}.php\nmodes: [${runtime}]\nworkloads: [${WORKLOADS.map(({ name }) => name)}]`,
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

      test('query, header and cookies', async () => {
        const seen = await echo('/echo?a=1&b[]=x&b[]=y%20z', { headers: { 'X-In': 'value', Cookie: 'c=1; d=%C3%A9' } })
        assert.deepEqual(
          [seen.method, seen.query, seen.header, seen.cookies],
          ['GET', { a: '1', b: ['x', 'y z'] }, 'value', { c: '1', d: 'é' }],
        )
      })

      for (const method of ['POST', 'PUT']) {
        test(`${method} with a form`, async () => {
          const seen = await echo('/echo', { method, headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'a=1&b[k]=2' })
          assert.deepEqual([seen.method, seen.form], [method, { a: '1', b: { k: '2' } }])
        })
      }

      test('JSON body', async () => {
        const body = JSON.stringify({ text: 'ü'.repeat(50_000) })
        assert.equal((await echo('/echo', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })).body, sha1(body))
      })

      test('uploads', async () => {
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

      test('status, repeated headers and cookies', async () => {
        const answer = await ask(`${server.url}/headers`)
        assert.equal(answer.status, 202)
        assert.equal(answer.headers['x-two'], 'a, b')
        assert.deepEqual(
          (answer.headers['set-cookie'] as string[]).map((line) => line.split(';')[0]),
          ['one=1', 'two=2'],
        )
        assert.equal(answer.headers['content-encoding'], undefined)
      })

      test('the type that PHP gives an answer without one, and the charset of text', async () => {
        const types = await Promise.all(
          ['/headers', '/output', '/echo'].map(async (path) => (await ask(server.url + path)).headers['content-type']),
        )
        assert.deepEqual(
          types.map((type) => String(type).toLowerCase().replace('; ', ';')),
          ['text/html;charset=utf-8', 'text/plain;charset=utf-8', 'application/json'],
        )
      })

      test('HEAD without a body', async () => {
        const { status, body } = await ask(`${server.url}/echo`, { method: 'HEAD' })
        assert.deepEqual([status, body], [200, ''])
      })

      test('the files that a request loads, in preflight only', async () => {
        const workload: Workload = { name: 'a', path: '/output', method: 'GET', headers: {}, expect: { status: 200 }, mask: [] }
        const loaded = await loadedBy(server, workload)
        assert.equal(loaded?.perRequest, !runtimeNamed(runtime).stateful)
        assert.ok(loaded?.files.includes(`bench/${app}.php`) && loaded.files.includes('src/Behaviour.php'), String(loaded?.files))
      })

      test('an exception is a 500, and the next request is fine', async () => {
        assert.equal((await ask(`${server.url}/throw`)).status, 500)
        assert.equal((await ask(`${server.url}/output`)).status, 200)
        assert.match(await server.logTail(), /thrown on purpose/)
      })

      test('echoed text comes before the body', async () => {
        assert.equal((await ask(`${server.url}/output`)).body, 'echoed returned')
      })

      test('a streamed answer', { skip: app === 'kernel' ? false : 'PSR-7 has no callback that echoes' }, async () => {
        assert.equal((await ask(`${server.url}/stream`)).body, 'one two three')
      })

      for (const { name, path, expect } of WORKLOADS) {
        test(`the built-in workload ${name}, in the same process`, async () => {
          const answers = await Promise.all(Array.from({ length: 4 }, () => ask(server.url + path)))
          for (const { status, body } of answers) {
            assert.equal(status, expect.status, body)
            assert.ok(expect.contains && body.includes(expect.contains), body)
          }
        })
      }

      const calls = app === 'closure' ? false : 'the same in every app'
      test('ten calls of a slow upstream, at once where one process serves several requests at a time', { skip: calls }, async () => {
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

      const runsPhp = runtimeNamed(runtime).processes.some((process) => process['runs-php'])
      const uncounted = !runsPhp
        ? 'not counted'
        : !which('valgrind')
          ? 'valgrind is not installed'
          : app !== 'closure'
            ? 'the same in every app'
            : false
      test('its instructions are counted, and hardly vary', { skip: uncounted }, async () => {
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

      test("16 clients at once never see each other's data, with a database", async () => {
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
      test("a command that the app runs is no loss, and its CPU time is the server's", { skip: oneTells }, async () => {
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

      test('exit: answered, or the loss of the worker is noticed', async () => {
        const answer = await ask(`${server.url}/exit`).catch(() => undefined)
        if (runtimeNamed(runtime).cannot.exit) {
          await eventually(
            () => server.lost(),
            (change) => /ended or were replaced/.test(change ?? ''),
          )
        } else {
          assert.equal(answer?.body, 'before exit')
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

for (const mode of ['swoole', 'fibers']) {
  test(`the counters of ${mode} come from every worker, and show whether requests overlapped`, {
    skip: mode !== 'swoole' || swoole ? false : 'php -m has no swoole',
  }, async () => {
    const { engine, modes } = await engineOver(temporary(), `modes: [${mode}]\nworkloads: [fibonacci]\ndatabase: none`)
    try {
      const server = await engine.start({ revision: 'head', mode: modes[0] as Mode }, 'measurement')
      const most = async (path: string): Promise<number[]> => {
        await Promise.all(Array.from({ length: 16 }, () => ask(server.url + path)))
        const { of, workers } = (await server.status()) as { of: number; workers: { pid: number; most_at_once: number }[] }
        assert.equal(new Set(workers.map(({ pid }) => pid)).size, of)
        return workers.map((worker) => worker.most_at_once)
      }
      assert.deepEqual(new Set(await most('/_bench/fibonacci')), new Set([1]))
      // usleep() blocks a worker of fibers, and a coroutine of Swoole's alone.
      const waiting = Math.max(...(await most('/_bench/wait?ms=20')))
      assert.ok(mode === 'swoole' ? waiting > 1 : waiting === 1, `${waiting}`)
      await server.stop()
    } finally {
      await engine.close()
    }
  })
}

test("php-fpm's master sleeps during a measured run, which reports no loaded files", async () => {
  const { engine, modes } = await engineOver(temporary(), 'modes: [fpm]\nworkloads: [fibonacci]\ndatabase: none')
  try {
    const server = await engine.start({ revision: 'head', mode: modes[0] as Mode }, 'measurement')
    assert.equal(await loadedBy(server, workloadsOf(parseConfig('workloads: [fibonacci]', 'c.yml'))[0] as Workload), undefined)
    const master = server.own.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('php-fpm: master'))
    const wakes = (): number => Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(`/proc/${master}/status`, 'utf8'))?.[1])
    const before = wakes()
    for (let i = 0; i < 200; i++) assert.equal((await ask(`${server.url}/_bench/health`)).status, 200)
    const during = wakes() - before
    assert.ok(during < 50, `${during} times awake for 200 requests`)
    await server.stop()
  } finally {
    await engine.close()
  }
})

describe('the HTTP server of fibers', () => {
  let engine: HostEngine
  let server: Server
  before(async () => {
    const prepared = await engineOver(temporary(), 'modes: [fibers]\nworkloads: [fibonacci]\ndatabase: none')
    engine = prepared.engine
    server = await engine.start({ revision: 'head', mode: prepared.modes[0] as Mode }, 'measurement')
  })
  after(async () => {
    await server?.stop()
    await engine?.close()
  })

  /** Writes pieces with pauses, and returns all output until the server closed, or was silent after that many answers. */
  const raw = (pieces: string[], answers = 1, silenceMs = 300): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      let text = ''
      let timer: NodeJS.Timeout
      const rest = (): void => {
        const isAnswered = (text.match(/HTTP\/1\.1 \d+/g)?.length ?? 0) >= answers
        clearTimeout(timer)
        timer = setTimeout(() => socket.destroy(), isAnswered ? silenceMs : 10_000)
      }
      socket.on('connect', async () => {
        for (const piece of pieces) {
          socket.write(piece)
          await new Promise((next) => setTimeout(next, 20))
        }
        rest()
      })
      socket.on('data', (chunk) => {
        text += chunk
        rest()
      })
      socket.on('close', () => {
        clearTimeout(timer)
        resolve(text)
      })
      socket.on('error', reject)
    })
  const get = 'GET /_bench/health HTTP/1.1\r\nHost: x\r\n\r\n'

  test('keeps a connection open', async () => {
    assert.equal((await raw([get, get, get], 3)).match(/HTTP\/1\.1 200/g)?.length, 3)
  })
  test('answers pipelined requests in order', async () => {
    const answers = await raw([`${get}GET /_bench/none HTTP/1.1\r\nHost: x\r\n\r\n${get}`], 3)
    assert.deepEqual(answers.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200'])
  })
  test('takes a request in pieces', async () => {
    assert.match(await raw(['GE', 'T /_bench/health HT', 'TP/1.1\r\nHo', 'st: x\r\n', '\r\n']), /^HTTP\/1\.1 200/)
  })
  test('closes when asked', async () => {
    const started = Date.now()
    assert.match(await raw([get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')], 1, 5000), /Connection: close/)
    assert.ok(Date.now() - started < 3000)
  })
  test('answers HEAD without a body', async () => {
    const answer = await raw([get.replace('GET', 'HEAD')])
    assert.match(answer, /Content-Length: \d+\r\n\r\n$/)
  })
  test('refuses malformed and too large requests, and continues to serve', async () => {
    assert.match(await raw(['nonsense\r\n\r\n']), /^HTTP\/1\.1 400/)
    assert.match(await raw([`GET /${'a'.repeat(9000)} HTTP/1.1\r\nHost: x\r\n\r\n`]), /^HTTP\/1\.1 414/)
    assert.match(await raw(['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n']), /^HTTP\/1\.1 413/)
    assert.match(await raw([get]), /^HTTP\/1\.1 200/)
  })
})

for (const runtime of ['fpm', 'swoole-sync']) {
  const skip = runtime === 'swoole-sync' && !swoole ? 'php -m has no swoole' : false
  test(`kept connections never wait for a busy worker of ${runtime} while another is free`, { skip }, async () => {
    const { engine, modes } = await engineOver(temporary(), `modes: [${runtime}]\nworkloads: [fibonacci]\ndatabase: none`)
    try {
      const server = await engine.start({ revision: 'head', mode: modes[0] as Mode }, 'measurement')
      const [connections, waits, waitMs] = [16, 10, 50]
      const agent = new Agent({ keepAlive: true })
      const wait = (): Promise<void> =>
        new Promise((resolve, reject) =>
          get(`${server.url}/_bench/wait?ms=${waitMs}`, { agent }, (answer) => answer.resume().on('end', resolve)).on('error', reject),
        )
      const each = async (): Promise<void> => {
        for (let i = 0; i < waits; i++) await wait()
      }
      await each()
      const started = Date.now()
      await Promise.all(Array.from({ length: connections }, each))
      agent.destroy()
      const ms = Date.now() - started
      assert.ok(ms < 2 * waits * waitMs, `${connections} x ${waits} waits of ${waitMs} ms took ${ms} ms`)
      await server.stop()
    } finally {
      await engine.close()
    }
  })
}
