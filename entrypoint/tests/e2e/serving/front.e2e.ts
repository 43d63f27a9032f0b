/** A front script, such as public/index.php, in every runtime that can run one, compared with the answers of PHP-FPM. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { names, PACKAGE } from '../../../config/catalog.ts'
import type { Mode } from '../../../config/experiment.ts'
import { parseConfig } from '../../../config/parse.ts'
import { runtimeNamed } from '../../../config/runtimes.ts'
import { workloadsOf } from '../../../config/workloads.ts'
import type { Server } from '../../../engines/engine.ts'
import type { HostEngine } from '../../../engines/host/engine.ts'
import { preflight } from '../../../preflight/preflight.ts'
import { type Answer, ask } from '../../../system/http.ts'
import { engineOver, eventually, hasExtension, temporary, whySkipped } from '../harness.ts'

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')
const swoole = await hasExtension('swoole')

function project(): string {
  const directory = join(temporary(), 'project')
  cpSync(join(PACKAGE, 'entrypoint', 'tests', 'fixtures', 'legacy-app'), directory, { recursive: true })
  return directory
}

/** One worker, so that every request but the first meets the state of an earlier one. */
function yaml(modes: string, front = 'public/index.php'): string {
  return `front: ${front}\nmodes: [${modes}]\nworkloads: [{ name: home, path: "/?name=x" }]\ndatabase: none\nconnections: 1`
}

const setCookies = (answer: Answer): string[] => (answer.headers['set-cookie'] ?? []) as string[]
const cookieOf = (answer: Answer): string => (setCookies(answer)[0] as string).split(';')[0] as string

for (const runtime of names('runtimes').filter((name) => !runtimeNamed(name).concurrent && !runtimeNamed(name).cannot.front)) {
  const { stateful, cannot } = runtimeNamed(runtime)
  const skip = await whySkipped(runtime)
  describe(`a front script in ${runtime}`, { skip }, () => {
    let engine: HostEngine
    let server: Server
    before(async () => {
      const prepared = await engineOver(project(), yaml(runtime))
      engine = prepared.engine
      server = await engine.start({ revision: 'head', mode: prepared.modes[0] as Mode }, 'preflight')
    })
    after(async () => {
      await server?.stop()
      await engine?.close()
    })
    const get = (path: string, options: Parameters<typeof ask>[1] = {}): Promise<Answer> => ask(server.url + path, options)
    const json = async (path: string, options: Parameters<typeof ask>[1] = {}) => JSON.parse((await get(path, options)).body)

    test('functions loaded once, for every request', async () => {
      for (const name of ['a', 'b', 'c']) assert.equal((await get(`/?name=${name}`)).body, `hello ${name}`)
      assert.equal((await get('/')).headers['content-type'], 'text/html; charset=UTF-8')
    })

    test('$_GET, $_COOKIE, $_REQUEST and headers, anew for each request', async () => {
      const seen = await json('/echo?a=1&b[]=x', { headers: { 'X-In': 'value', Cookie: 'c=1; d=%C3%A9' } })
      assert.deepEqual([seen.get, seen.cookie, seen.header], [{ a: '1', b: ['x'] }, { c: '1', d: 'é' }, 'value'])
      const next = await json('/echo')
      assert.deepEqual([next.get, next.cookie, next.header, next.session], [[], [], null, false])
    })

    test('$_POST of a POST only, php://input of any', async () => {
      const form = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'a=1&b[k]=2' }
      const posted = await json('/echo', { ...form, method: 'POST' })
      assert.deepEqual([posted.post, posted.input], [{ a: '1', b: { k: '2' } }, sha1(form.body)])
      const put = await json('/echo', { ...form, method: 'PUT' })
      assert.deepEqual([put.post, put.input], [[], sha1(form.body)])
      assert.equal((await json('/echo')).input, sha1(''))
    })

    test('filter_input() and getallheaders() of the request', async () => {
      const type = 'application/x-www-form-urlencoded'
      const headers = { 'Content-Type': type, 'X-In': 'value', Cookie: 'c=1' }
      const path = '/filter?a=1&s=x&list[]=2'
      const all = [{ a: 1, none: null }, { a: 1 }]
      const common = [1, false, null, false, false, 7, ['2'], '1']
      assert.deepEqual(await json(path, { method: 'POST', headers, body: 'p=posted' }), [
        ...common,
        'posted',
        true,
        ...all,
        { p: 'posted' },
        'value',
        type,
      ])
      assert.deepEqual((await json('/filter', { method: 'POST', headers, body: 'p=2' })).slice(8, 13), ['2', false, null, null, { p: '2' }])
      // nginx sends the type of an empty body, too.
      assert.deepEqual((await json(path)).slice(7, 14), [null, null, true, ...all, null, null])
      assert.ok([null, ''].includes((await json(path))[14]))
    })

    test('uploads', async () => {
      const content = 'x'.repeat(100_000)
      const body = `--B\r\nContent-Disposition: form-data; name="f"; filename="f.txt"\r\nContent-Type: text/plain\r\n\r\n${content}\r\n--B--\r\n`
      const seen = await json('/echo', { method: 'POST', headers: { 'Content-Type': 'multipart/form-data; boundary=B' }, body })
      assert.deepEqual(seen.files, { f: { name: 'f.txt', size: content.length, sha1: sha1(content), uploaded: true } })
      assert.equal(seen.input, sha1(''))
    })

    test('$_SERVER as a web server fills it', async () => {
      const sent = { method: 'POST', headers: { 'Content-Type': 'text/x' }, body: 'b' }
      // nginx's own name.
      const { DOCUMENT_URI: uri = '/index.php', ...seen } = await json('/server?a=1', sent)
      assert.equal(uri, '/index.php')
      assert.deepEqual(seen, {
        REQUEST_METHOD: 'POST',
        REQUEST_URI: '/server?a=1',
        QUERY_STRING: 'a=1',
        SCRIPT_NAME: '/index.php',
        SCRIPT_FILENAME: '/public/index.php',
        DOCUMENT_ROOT: '/public',
        PHP_SELF: '/index.php',
        REQUEST_SCHEME: 'http',
        GATEWAY_INTERFACE: 'CGI/1.1',
        SERVER_PROTOCOL: 'HTTP/1.1',
        REMOTE_ADDR: '127.0.0.1',
        CONTENT_TYPE: 'text/x',
        ...(cannot['server-environment'] ? {} : { APP_ENV: 'prod' }),
      })
      assert.equal((await get('/index.php/path/info')).body, '/index.php/path/info')
    })

    test('status, headers and cookies', async () => {
      const answer = await get('/headers')
      assert.deepEqual(
        [answer.status, answer.headers['x-two'], answer.headers['x-gone'], answer.headers['content-type'], answer.headers['cache-control']],
        [202, 'a, b', undefined, 'text/plain;charset=UTF-8', 'public, max-age=60'],
      )
      assert.deepEqual(setCookies(answer), [
        'plain=a%20b%26c',
        'full=v; path=/p; domain=example.org; secure; HttpOnly; SameSite=Lax',
        'raw=a+b',
        'gone=deleted; expires=Thu, 01 Jan 1970 00:00:01 GMT; Max-Age=0',
      ])
      assert.match(
        answer.body,
        /^X-Two: a\nx-two: b\nContent-Type: text\/plain;charset=UTF-8\nCache-Control: public, max-age=60\nSet-Cookie: plain=/im,
      )
      assert.equal((await get('/')).headers['x-two'], undefined)
    })

    test('constants that are defined for each request, with a log line if the value differs', async () => {
      assert.equal((await get('/constant?at=1')).body, 'shop 1')
      assert.equal((await get('/constant?at=1')).body, 'shop 1')
      assert.doesNotMatch(await server.log(), /already defined|earlier request/)
      assert.equal((await get('/constant?at=2')).body, stateful ? 'shop 1' : 'shop 2')
      if (!stateful) return
      await eventually(
        () => server.logTail(),
        (log) => /Constant AT has the value of an earlier request: in this runtime constants stay in the process\./.test(log),
      )
    })

    test('a redirect, then exit', async () => {
      for (const method of ['GET', 'POST']) {
        const answer = await get('/redirect', { method })
        assert.deepEqual([answer.status, answer.headers.location, answer.body], [302, '/elsewhere?x=1', ''])
      }
    })

    test('exit ends the request, not the worker', async () => {
      assert.equal((await get('/exit')).body, 'before and a last word')
      const deep = await get('/exit-in-function')
      assert.deepEqual([deep.status, deep.body], [403, 'forbidden'])
      assert.equal(await server.lost(), undefined)
    })

    test('sessions: one for each client, with the headers of session_start()', async () => {
      const [first, second] = [await get('/login?user=a'), await get('/login?user=b')]
      assert.match(setCookies(first).join('|'), /^PHPSESSID=[A-Za-z0-9,-]{20,}; path=\/$/)
      assert.notEqual(cookieOf(first), cookieOf(second))
      assert.deepEqual(
        ['expires', 'cache-control', 'pragma', 'x-after'].map((name) => first.headers[name]),
        ['Thu, 19 Nov 1981 08:52:00 GMT', 'no-store, no-cache, must-revalidate', 'no-cache', 'session'],
      )
      const me = (cookie: string): Promise<Answer> => get('/me', { headers: { Cookie: cookie } })
      for (const seen of [1, 2]) {
        assert.equal((await me(cookieOf(first))).body, `a ${seen}`)
        assert.equal((await me(cookieOf(second))).body, `b ${seen}`)
      }
      assert.deepEqual(setCookies(await me(cookieOf(first))), [])
      assert.equal((await get('/me')).body, 'nobody -')
      assert.match((await get('/save-path')).body, /\/job\/files\/[0-9a-f]{8}$/, 'the files go with the run')
    })

    test('sessions: another name, a new id, an end', async () => {
      const named = await get('/named')
      assert.match(setCookies(named).join('|'), /^OTHER=[A-Za-z0-9,-]+; path=\/$/)
      assert.deepEqual([named.body, (await get('/named', { headers: { Cookie: cookieOf(named) } })).body], ['1', '2'])

      assert.equal((await get('/lazy', { headers: { Cookie: cookieOf(await get('/login?user=l')) } })).body, 'l')
      assert.equal((await get('/lazy')).body, 'nobody')

      const old = cookieOf(await get('/login?user=c'))
      const renewed = await get('/renew', { headers: { Cookie: old } })
      assert.deepEqual([renewed.body, setCookies(renewed).length], ['c', 1])
      assert.notEqual(cookieOf(renewed), old)
      assert.equal((await get('/me', { headers: { Cookie: cookieOf(renewed) } })).body, 'c 1')
      const out = await get('/logout', { headers: { Cookie: cookieOf(renewed) } })
      assert.deepEqual([out.body, out.headers.pragma], ['out', 'no-cache'])
      assert.equal((await get('/me', { headers: { Cookie: cookieOf(renewed) } })).body, 'nobody -')
    })

    test('an uncaught exception is a 500 with what was written before, and is logged', async () => {
      const answer = await get('/throw')
      assert.deepEqual([answer.status, answer.body, answer.headers['x-before']], [500, 'half a page', '1'])
      await eventually(
        () => server.logTail(),
        (log) => /PHP Fatal error: {2}Uncaught RuntimeException: thrown on purpose/.test(log),
      )
      const caught = await get('/caught')
      assert.deepEqual([caught.status, caught.body], [cannot['unknown-status'] ? 500 : 418, 'handled: to the handler'])
      assert.equal((await get('/throw')).status, 500)
    })

    test('shutdown functions and error handlers last as long as their request', async () => {
      for (let round = 0; round < 2; round++) {
        assert.equal((await get('/shutdown')).body, 'down[noted] shut last')
        assert.equal((await get('/quiet')).body, 'quiet')
      }
    })

    test('output buffers, the working directory, and a time limit', async () => {
      assert.equal((await get('/buffers')).body, 'KEPT')
      assert.equal((await get('/include')).body, 'a page from public')
      for (let round = 0; round < 2; round++) assert.equal((await get('/time-limit')).body, '0')
    })

    test('static state lives as long as the process', async () => {
      const bodies = [await get('/static'), await get('/static')].map(({ body }) => Number(body))
      assert.equal((bodies[1] as number) - (bodies[0] as number), stateful ? 1 : 0)
    })

    test('the built-in paths beside it', async () => {
      assert.equal(JSON.parse((await get('/_bench/facts')).body).opcache, true)
    })
  })
}

/** Preflight's message about the modes of a configuration, or nothing if they answer alike. */
async function verdictOf(directory: string, text: string): Promise<string> {
  const { engine, modes } = await engineOver(directory, text)
  const workloads = workloadsOf(parseConfig(text, 'c.yml'))
  const options = { loads: [{ name: 'low', concurrency: 2 }], connections: 1, signal: new AbortController().signal, say: () => {} }
  try {
    const arms = modes.map((mode) => ({ revision: 'head' as const, mode }))
    await preflight({
      ...options,
      engine,
      arms,
      workloadsOf: () => workloads,
      borrowed: new Set(),
      ungated: new Set(),
      database: { from: 'none' },
    })
    return ''
  } catch (error) {
    return (error as Error).message
  } finally {
    await engine.close()
  }
}

const verdict = (modes: string, front?: string): Promise<string> => verdictOf(project(), yaml(modes, front))

describe('preflight of a front script', () => {
  test("uses PHP-FPM as the reference of the app's own server", async () => {
    const command = '{ name: own, kind: async, command: "cd public && exec php -S 127.0.0.1:{port} index.php" }'
    assert.equal(await verdict(`fpm, ${command}`), '')
  })

  const skip = swoole ? false : 'php -m has no swoole'
  test('passes if the script can run again', { skip }, async () => assert.equal(await verdict('fpm, swoole-sync'), ''))

  test('passes the example, with its database, sessions and a form', { skip }, async () => {
    const example = join(temporary(), 'legacy')
    cpSync(join(PACKAGE, 'examples', 'legacy'), example, { recursive: true })
    const text = readFileSync(join(example, 'bench.yml'), 'utf8')
    assert.equal(await verdictOf(example, `${text}database: mariadb\nconnections: 2\n`), '')
  })

  test('reports what prevents a script from running again', { skip }, async () => {
    assert.match(
      await verdict('swoole-sync', 'public/redeclare.php'),
      /public\/redeclare\.php was included again, for another request\..* Load declarations with require_once or an autoloader\./,
    )
  })

  test('names the place that expects global variables', { skip }, async () => {
    const said = await verdict('fpm, swoole-sync', 'public/globals.php')
    assert.match(
      said,
      /head\/swoole-sync, workload home: GET \/\?name=x: answers differently from head\/fpm\..*expected "hello the world", got "hello "/,
    )
    assert.match(said, /src\/globals\.php:5: `global \$who`: in this runtime the front script runs inside a function/)
  })
})
