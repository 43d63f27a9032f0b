/** The relay of `latency`, before a server that answers immediately. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { RELAY, Relay } from '../../../engines/shared/relay.ts'
import { SIDECARS } from '../../../engines/shared/sidecar.ts'
import { apart } from '../../../system/environment.ts'

const DELAY_MS = 20
const COMMAND = (args: string[]): string[] => ['php', '-n', join(SIDECARS, RELAY), ...args]

describe('the relay', () => {
  const echo = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {})
    socket.pipe(socket)
  })
  let relay: Relay
  let port: number
  /** With four times the delay. */
  let slower: number

  before(async () => {
    echo.listen(0, '127.0.0.1')
    await once(echo, 'listening')
    const { port: target } = echo.address() as AddressInfo
    const slow = { host: '127.0.0.1', port: target, delayMs: DELAY_MS }
    relay = await Relay.before([slow, { ...slow, host: 'localhost', delayMs: 4 * DELAY_MS }], COMMAND, apart())
    const reached = relay.reached({ host: '127.0.0.1', port: target })
    port = reached.port
    assert.notEqual(port, target)
    assert.deepEqual(reached, { host: '127.0.0.1', port })
    assert.deepEqual(relay.reached({ host: '127.0.0.1', port: 9 }), { host: '127.0.0.1', port: 9 })
    slower = relay.reached({ host: 'localhost', port: target }).port
  })
  after(() => {
    relay.close()
    echo.close()
  })

  async function opened(at = port): Promise<Socket> {
    const socket = connect(at, '127.0.0.1')
    await once(socket, 'connect')
    return socket.setNoDelay()
  }

  /** @returns milliseconds until the same number of bytes came back */
  async function answered(socket: Socket, bytes: Buffer): Promise<{ ms: number; back: Buffer }> {
    const begin = performance.now()
    const chunks: Buffer[] = []
    let length = 0
    const done = new Promise<void>((resolve) => {
      const hear = (chunk: Buffer): void => {
        chunks.push(chunk)
        length += chunk.length
        if (length < bytes.length) return
        socket.off('data', hear)
        resolve()
      }
      socket.on('data', hear)
    })
    socket.write(bytes)
    await done
    return { ms: performance.now() - begin, back: Buffer.concat(chunks) }
  }

  /** A busy machine is late now and then, but not each time. @returns the shortest of at most five, in milliseconds */
  async function shortest(limitMs: number, measure: () => Promise<number>): Promise<number> {
    let best = Number.POSITIVE_INFINITY
    for (let tries = 0; tries < 5 && best >= limitMs; tries++) best = Math.min(best, await measure())
    return best
  }

  test('delays each answer, those of several connections at the same time', async () => {
    const sockets = await Promise.all(Array.from({ length: 20 }, opened))
    const wholeMs = await shortest(10 * DELAY_MS, async () => {
      const begin = performance.now()
      const times = await Promise.all(sockets.map(async (socket) => (await answered(socket, Buffer.from('ping'))).ms))
      for (const ms of times) assert.ok(ms >= DELAY_MS, `${ms} ms`)
      return performance.now() - begin
    })
    assert.ok(wholeMs < 10 * DELAY_MS, `20 answers took ${wholeMs} ms: one after the other they take ${20 * DELAY_MS}`)
    for (const socket of sockets) socket.destroy()
  })

  test('delays each server by its own time, in one process', async () => {
    const [quick, slow] = [await opened(), await opened(slower)]
    const [late, later] = await Promise.all([answered(quick, Buffer.from('ping')), answered(slow, Buffer.from('ping'))])
    assert.ok(later.ms >= 4 * DELAY_MS, `${later.ms} ms`)
    assert.ok(late.ms >= DELAY_MS && late.ms < later.ms, `${late.ms} and ${later.ms} ms`)
    for (const socket of [quick, slow]) socket.destroy()
  })

  test('delays a long answer once, and passes every byte in order', async () => {
    const socket = await opened()
    const bytes = Buffer.alloc(8 << 20, 'a row of a table, ')
    const ms = await shortest(2000, async () => {
      const { ms, back } = await answered(socket, bytes)
      assert.ok(back.equals(bytes))
      return ms
    })
    // If each chunk were delayed, it would take more than two seconds.
    assert.ok(ms >= DELAY_MS && ms < 2000, `${ms} ms`)
    socket.destroy()
  })

  test("passes on the end of a client's data, and answers after it", async () => {
    const socket = await opened()
    socket.end('last words')
    const heard: Buffer[] = []
    socket.on('data', (chunk: Buffer) => heard.push(chunk))
    await once(socket, 'close')
    assert.equal(Buffer.concat(heard).toString(), 'last words')
  })

  test('outlives clients that vanish, and counts its CPU time', async () => {
    const before = (await relay.use()).cpuUs
    for (let i = 0; i < 50; i++) {
      const socket = await opened()
      socket.write('gone before the answer')
      socket.resetAndDestroy()
    }
    const socket = await opened()
    assert.equal((await answered(socket, Buffer.from('still there'))).back.toString(), 'still there')
    socket.destroy()
    assert.ok((await relay.use()).cpuUs > before)
  })

  test('counts how late each answer leaves', async () => {
    const { port: target } = echo.address() as AddressInfo
    const pidFile = join(tmpdir(), `relay-${process.pid}`)
    const other = await Relay.before(
      [{ host: '127.0.0.1', port: target, delayMs: DELAY_MS }],
      (args) => ['sh', '-c', 'echo $$ > "$0"; exec "$@"', pidFile, ...COMMAND(args)],
      apart(),
    )
    const pid = Number(readFileSync(pidFile, 'utf8'))
    rmSync(pidFile)
    const socket = await opened(other.reached({ host: '127.0.0.1', port: target }).port)
    const answers = async (): Promise<number> => Object.values((await other.use()).late).reduce((a, b) => a + b, 0)
    await answered(socket, Buffer.from('in time'))
    assert.equal(await answers(), 1)

    const before = (await other.use()).late
    const late = answered(socket, Buffer.from('late'))
    await sleep(DELAY_MS / 2)
    process.kill(pid, 'SIGSTOP')
    await sleep(10 * DELAY_MS)
    process.kill(pid, 'SIGCONT')
    await late
    const after = (await other.use()).late
    const grown = Object.keys(after).filter((bound) => after[bound] !== before[bound])
    assert.equal(grown.length, 1)
    assert.ok(Number(grown[0]) < 20_000 * DELAY_MS, `${grown[0]} us`)
    assert.ok(Number(grown[0]) >= 8000 * DELAY_MS, `${grown[0]} us`)
    socket.destroy()
    other.close()
  })

  test('is reported if it is gone', async () => {
    const other = await Relay.before([{ host: '127.0.0.1', port: 9, delayMs: 1 }], COMMAND, apart())
    assert.equal(other.over, undefined)
    other.close()
    await assert.rejects(other.use(), /^MeasurementError: The relay of `latency` stopped answering: it was closed$/)
    assert.match(other.over ?? '', /^The relay of `latency` is gone: /)
  })
})
