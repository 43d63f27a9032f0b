/** The HTTP server of fibers, by raw bytes: kept connections, pipelining, requests in pieces, and malformed ones. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Mode } from '../../../config/experiment.ts'
import type { Server } from '../../../engines/engine.ts'
import type { HostEngine } from '../../../engines/host/engine.ts'
import { engineOver, temporary } from '../harness.ts'

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

  /** Writes pieces with pauses. Returns all output until the server closes, or is silent after that many responses. */
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
  test('accepts a request in pieces', async () => {
    assert.match(await raw(['GE', 'T /_bench/health HT', 'TP/1.1\r\nHo', 'st: x\r\n', '\r\n']), /^HTTP\/1\.1 200/)
  })
  test('closes a connection if the client asks for it', async () => {
    const started = Date.now()
    assert.match(await raw([get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')], 1, 5000), /Connection: close/)
    assert.ok(Date.now() - started < 3000)
  })
  test('answers HEAD without a body', async () => {
    const answer = await raw([get.replace('GET', 'HEAD')])
    assert.match(answer, /Content-Length: \d+\r\n\r\n$/)
  })
  test('refuses malformed and large requests, and continues to serve', async () => {
    assert.match(await raw(['nonsense\r\n\r\n']), /^HTTP\/1\.1 400/)
    assert.match(await raw([`GET /${'a'.repeat(9000)} HTTP/1.1\r\nHost: x\r\n\r\n`]), /^HTTP\/1\.1 414/)
    assert.match(await raw(['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n']), /^HTTP\/1\.1 413/)
    assert.match(await raw([get]), /^HTTP\/1\.1 200/)
  })
})
