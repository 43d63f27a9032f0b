/**
 * Takes the place of `rr` in tests: an HTTP server that hands each request to a free PHP worker, by RoadRunner's protocol on pipes.
 * Like `rr`, it reads a configuration, starts the workers before it listens, replaces those that end, and writes their log to its own.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { parse } from 'yaml'
import { CONTROL, control, decodeFrame, type Frame, requestFrame, responseOf } from './goridge.ts'

interface Config {
  server: { command: string[]; relay: string }
  http: { address: string; raw_body: boolean; pool: { num_workers: string; max_jobs: string } }
}

class Worker {
  private data = Buffer.alloc(0)
  private waiting: { resolve: (frame: Frame) => void; reject: (error: Error) => void } | undefined
  jobs = 0
  hasEnded = false

  private constructor(private readonly child: ChildProcess) {
    child.stdout?.on('data', (part: Buffer) => this.receive(part))
    child.once('exit', () => {
      this.hasEnded = true
      this.waiting?.reject(new Error('the worker ended'))
    })
    child.stdin?.on('error', () => {})
  }

  static async start([program, ...args]: string[]): Promise<Worker> {
    const env = { ...process.env, RR_MODE: 'http', RR_RELAY: 'pipes', RR_VERSION: '2025.1.15' }
    const worker = new Worker(spawn(program as string, args, { env, stdio: ['pipe', 'pipe', 'inherit'] }))
    const { flags, payload } = await worker.exchange(control({ pid: process.pid }))
    assert.equal(flags & CONTROL, CONTROL)
    assert.equal(JSON.parse(payload.toString()).pid, worker.child.pid)
    return worker
  }

  exchange(frame: Buffer): Promise<Frame> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject }
      this.child.stdin?.write(frame)
    })
  }

  stop(): void {
    this.child.stdin?.write(control({ stop: true }))
  }

  private receive(part: Buffer): void {
    this.data = Buffer.concat([this.data, part])
    try {
      const decoded = decodeFrame(this.data)
      if (!decoded) return
      this.data = decoded.rest as Buffer<ArrayBuffer>
      this.waiting?.resolve(decoded.frame)
    } catch (error) {
      this.waiting?.reject(error as Error)
      this.child.kill('SIGKILL')
    }
  }
}

/** As RoadRunner does it: `${NAME}` and `${NAME:-default}` in values. */
function expand(_: string, value: unknown): unknown {
  return typeof value === 'string'
    ? value.replace(/\$\{(\w+)(?::-(.*?))?\}/g, (_, name, otherwise = '') => process.env[name] || otherwise)
    : value
}

const file = process.argv[process.argv.indexOf('--config') + 1] as string
const config = JSON.parse(JSON.stringify(parse(readFileSync(file, 'utf8'))), expand) as Config
assert.ok(process.argv.includes('serve') && config.server.relay === 'pipes' && config.http.raw_body)
const { num_workers: workers, max_jobs: maxJobs } = config.http.pool
const free: Worker[] = []
const queue: ((worker: Worker) => void)[] = []

function release(worker: Worker): void {
  const next = queue.shift()
  if (next) next(worker)
  else free.push(worker)
}

async function replace(worker: Worker): Promise<void> {
  if (!worker.hasEnded) worker.stop()
  release(await Worker.start(config.server.command))
}

function take(): Promise<Worker> {
  const worker = free.shift()
  return worker ? Promise.resolve(worker) : new Promise((resolve) => queue.push(resolve))
}

/** Go's form of the names, without the header that becomes a part of the address. */
function headersOf({ rawHeaders }: IncomingMessage): Record<string, string[]> {
  const headers: Record<string, string[]> = {}
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase().replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
    if (name !== 'Host') headers[name] = [...(headers[name] ?? []), rawHeaders[i + 1] as string]
  }
  return headers
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const worker = await take()
  const { method = 'GET', url = '/' } = request
  const header = headersOf(request)
  const cookies = (header.Cookie ?? []).flatMap((line) => line.split('; ')).map((pair) => pair.split('='))
  const received = {
    remoteAddr: request.socket.remoteAddress ?? '',
    protocol: 'HTTP/1.1',
    method,
    uri: `http://${request.headers.host}${url}`,
    header,
    cookies: Object.fromEntries(cookies.map(([name, value = '']) => [name, [decodeURIComponent(value)]])),
    rawQuery: url.split('?')[1] ?? '',
  }
  try {
    const body = ['HEAD', 'OPTIONS'].includes(method) ? Buffer.alloc(0) : Buffer.concat(parts)
    const answer = responseOf(await worker.exchange(requestFrame(received, body)))
    response.writeHead(answer.status, answer.headers)
    // RoadRunner flushes here, so Go adds no length.
    if (answer.body.length > 0) response.write(answer.body)
  } catch (error) {
    process.stderr.write(`execute {"error": ${JSON.stringify(String(error))}}\n`)
    response.writeHead(500)
  }
  response.end()
  worker.jobs++
  if (worker.hasEnded || (Number(maxJobs) > 0 && worker.jobs >= Number(maxJobs))) await replace(worker)
  else release(worker)
}

process.once('SIGTERM', () => process.exit(0))
try {
  for (const worker of await Promise.all(Array.from({ length: Number(workers) }, () => Worker.start(config.server.command))))
    release(worker)
} catch (error) {
  process.stderr.write(`error: ${error}\n`)
  process.exit(1)
}
const [host, port] = config.http.address.split(':') as [string, string]
createServer((request, response) => void serve(request, response)).listen(Number(port), host)
