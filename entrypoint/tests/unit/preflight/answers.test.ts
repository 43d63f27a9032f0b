/** Preflight's comparison of a revision's modes, with servers that answer as the test says. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { thrownOutcome } from '../../../analyse/outcome.ts'
import type { Arm } from '../../../config/experiment.ts'
import type { Workload } from '../../../config/workload.ts'
import type { Engine } from '../../../engines/engine.ts'
import { type PreflightFound, preflight } from '../../../preflight/preflight.ts'
import { AppFailure, HeadFailed } from '../../../system/errors.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const workload: Workload = { name: 'home', path: '/a?b=1', method: 'GET', headers: {}, expect: { status: 200 }, mask: [] }
const armOf = (name: string): Arm => ({
  revision: 'head',
  mode: { name, kind: name === 'sync' ? 'sync' : 'async', via: 'command', command: 'app', health: '/' },
})

/** Preflight of head in the modes sync and async. */
async function preflightOf(sync: Handler, async: Handler, changes: Partial<Workload> = {}, extra: object = {}): Promise<PreflightFound> {
  const servers = [createServer(sync), createServer(async)]
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening')
  const urls = servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const start = async ({ mode }: Arm) => ({
    url: urls[mode.name === 'sync' ? 0 : 1],
    usage: async () => ({ memoryKib: 0 }),
    logTail: async () => '',
    log: async () => '',
    stop: async () => undefined,
  })
  const engine = { restore: async () => undefined, start, ...extra } as unknown as Engine
  try {
    return await preflight({
      engine,
      arms: [armOf('sync'), armOf('async')],
      workloadsOf: () => [{ ...workload, ...changes }],
      borrowed: new Set(),
      ungated: new Set(),
      loads: [{ name: 'low', concurrency: 4 }],
      connections: 4,
      database: { from: 'none' },
      signal: new AbortController().signal,
      say: () => undefined,
    })
  } finally {
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
  }
}

const answering =
  (headers: Record<string, string | string[]>, body = 'right'): Handler =>
  (_, response) =>
    void response.writeHead(200, headers).end(body)

// At the same time, because each stop waits until the log of its server is at rest.
describe('headers of the modes of one revision', { concurrency: true }, () => {
  const different: [string, Record<string, string | string[]>, Record<string, string | string[]>, string][] = [
    ['a cookie that is lost', { 'Set-Cookie': ['a=1', 'b=2'] }, { 'Set-Cookie': 'a=1' }, 'expected "Set-Cookie: b", got no such header'],
    ['a cookie that comes in addition', {}, { 'Set-Cookie': 'a=1' }, 'expected no such header, got "Set-Cookie: a"'],
    ['another cookie', { 'Set-Cookie': 'a=1' }, { 'Set-Cookie': 'b=1' }, 'expected "Set-Cookie: a", got "Set-Cookie: b"'],
    ['another Location', { Location: '/a' }, { Location: '/b' }, 'expected "Location: /a", got "Location: /b"'],
    [
      'another type',
      { 'Content-Type': 'application/json' },
      { 'Content-Type': 'text/html' },
      'expected "Content-Type: application/json", got "Content-Type: text/html"',
    ],
    [
      'another charset',
      { 'Content-Type': 'text/html' },
      { 'Content-Type': 'text/html; charset=latin1' },
      'expected "Content-Type: text/html", got "Content-Type: text/html; charset=latin1"',
    ],
    ['another caching', { 'Cache-Control': 'no-store' }, {}, 'expected "Cache-Control: no-store", got no such header'],
  ]
  for (const [what, sync, async, message] of different) {
    test(`${what} stops preflight`, async () => {
      await assert.rejects(preflightOf(answering(sync), answering(async)), ({ message: found }: Error) => {
        assert.ok(
          found.startsWith(`head/async, workload home: GET /a?b=1: the headers differ from those of head/sync: ${message}. `),
          found,
        )
        return true
      })
    })
  }

  test('say what to do about a lost one', async () => {
    await assert.rejects(
      preflightOf(answering({ 'Set-Cookie': 'a=1' }), answering({})),
      /header\(\), setcookie\(\) and session_start\(\) of PHP reach the client under FPM only\. .* add it to the workload's mask, which also applies to header lines/,
    )
  })

  test('are a failure of the app, which is a regression if base does not have it', async () => {
    await assert.rejects(preflightOf(answering({ 'Set-Cookie': 'a=1' }), answering({})), (error: unknown) => {
      assert.ok(error instanceof AppFailure)
      const { verdict, parts } = thrownOutcome(new HeadFailed('head/async', error))
      assert.equal(verdict, 'regressed')
      assert.match(parts.analysis, /^## ❌ Regressed: head answers differently in its modes\n/)
      return true
    })
  })

  const alike: [string, Record<string, string | string[]>, Record<string, string | string[]>, string[]?][] = [
    ["a cookie's value and order", { 'Set-Cookie': ['a=1; path=/', 'b=2'] }, { 'Set-Cookie': ['b=3', 'a=4'] }],
    ['the charset that PHP adds', { 'Content-Type': 'text/html; charset=UTF-8' }, { 'Content-Type': 'text/html' }],
    ['how a type is written', { 'Content-Type': 'Text/HTML;charset="utf-8"' }, { 'Content-Type': 'text/html; charset=UTF-8' }],
    ['spaces in Cache-Control', { 'Cache-Control': 'no-cache,private' }, { 'Cache-Control': 'no-cache, private' }],
    ['what PHP says of itself', { 'X-Powered-By': 'PHP/8.2', Server: 'nginx' }, {}],
    ['what is masked in part', { Location: '/a?token=1' }, { Location: '/a?token=2' }, ['token=\\d']],
    ['what is masked whole', { 'Set-Cookie': 'a=1' }, {}, ['Set-Cookie: a']],
  ]
  for (const [what, sync, async, mask = []] of alike) {
    test(`may differ in ${what}`, async () => {
      assert.deepEqual((await preflightOf(answering(sync), answering(async), { mask })).warnings, [])
    })
  }

  test("may name the server's own address", async () => {
    const redirect: Handler = (request, response) => void response.writeHead(302, { Location: `http://${request.headers.host}/next` }).end()
    await preflightOf(redirect, redirect, { expect: { status: 302 } })
  })

  test('have no type to compare if there is no body', async () => {
    const status = { expect: { status: 204 } }
    const empty =
      (headers: Record<string, string>): Handler =>
      (_, response) =>
        void response.writeHead(204, headers).end()
    await preflightOf(empty({ 'Content-Type': 'text/html' }), empty({}), status)
  })
})

describe('identities', () => {
  test('of the configuration are requested, in headers and body, too, and each is named with its path', async () => {
    const asked = new Set<string>()
    const echo: Handler = (request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += chunk))
      request.on('end', () => {
        asked.add(`${request.url} ${request.headers['x-user']} ${body}`)
        response.writeHead(request.url === '/users/z' ? 404 : 200).end(body)
      })
    }
    const post = { method: 'POST', path: '/users/{id}', headers: { 'X-User': 'u{id}' }, body: 'b{id}' }
    await preflightOf(echo, echo, { ...post, ids: ['x', 'y'] })
    assert.deepEqual([...asked].sort(), ['/users/x ux bx', '/users/y uy by'])
    await assert.rejects(
      preflightOf(echo, echo, { ...post, ids: ['x', 'z'] }),
      /^MeasurementError: head\/sync, workload home: POST \/users\/z: expected status 200, got 404 with "bz"$/,
    )
  })
})

describe('identities other than the measured one', () => {
  const sync: Handler = (request, response) => void response.end(`user ${request.url}`)

  test('are compared between the modes, too, because an app that keeps the first user answers all alike', async () => {
    let kept: string | undefined
    const leaking: Handler = (request, response) => {
      kept ??= request.url
      response.end(`user ${kept}`)
    }
    await assert.rejects(
      preflightOf(sync, leaking, { path: '/users/{id}' }),
      /^MeasurementError: head\/async, workload home: GET \/users\/2: answers differently from head\/sync\. At character 13: expected "user \/users\/2", got "user \/users\/1"\./,
    )
  })

  test('pass if they are answered alike', async () => {
    assert.deepEqual((await preflightOf(sync, sync, { path: '/users/{id}' })).warnings, [])
  })
})

describe('headers that differ', () => {
  test('are all named at once', async () => {
    const sync: Handler = (_, response) =>
      void response.writeHead(200, { 'Set-Cookie': 'seen=1', 'Cache-Control': 'max-age=60', 'Content-Type': 'text/plain' }).end('x')
    const async: Handler = (_, response) => void response.writeHead(200, { 'Content-Type': 'text/plain' }).end('x')
    await assert.rejects(
      preflightOf(sync, async),
      /expected "Set-Cookie: seen" and "Cache-Control: max-age=60", got no such header\. header\(\)/,
    )
  })
})

describe('statements', () => {
  /** A database server that counts what the sync server does: three SELECT per request, one of them after the answer. */
  const counted = () => {
    const counts = { select: 0, insert: 0 }
    const handler: Handler = (_, response) => {
      counts.select += 2
      response.end('right', () => setTimeout(() => counts.select++, 15))
    }
    return { handler, extra: { hasOwnDatabase: true, statementCounts: async () => ({ ...counts }) } }
  }

  test('of one request are counted in every mode, also those after the answer', async () => {
    const { handler, extra } = counted()
    const { statements } = await preflightOf(handler, answering({}), {}, extra)
    assert.deepEqual(statements, { 'head/sync': { home: { select: 3 } }, 'head/async': { home: {} } })
  })

  test('of a shared server are not counted', async () => {
    const { handler, extra } = counted()
    assert.deepEqual((await preflightOf(handler, answering({}), {}, { ...extra, hasOwnDatabase: false })).statements, {})
  })
})
