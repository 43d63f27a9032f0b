/** Load that remembers of each request when it was sent, and what became of it: hey's errors carry no time. */
import { setTimeout as sleep } from 'node:timers/promises'
import { requestOf } from '../config/identities.ts'
import type { Workload } from '../config/workload.ts'
import { ask } from '../system/http.ts'
import { allOf } from '../system/settle-all.ts'

export interface Visit {
  /** The server's log tells it of each request that the app has begun. */
  id: number

  /** Milliseconds on the wall clock. */
  sentAt: number
  endedAt: number
  /** Method and path. */
  route: string
  /** In our own words; none if it was answered. */
  failure?: string
}

/** A request that takes longer counts as lost. */
const TIMEOUT_MS = 10_000
const PATIENCE_MS = 1000
/** Before the next request of a connection: the log, which is read to its end, shall not grow too long. */
const PAUSE_MS = 5
/** php/src/Server/Instance.php. */
const HEADER = 'X-Async-Php-Bench-Visit'

export class Visits {
  readonly all: Visit[] = []
  private isOver = false
  private sent = 0
  private readonly connections: Promise<void>[]

  /**
   * Each request has a connection of its own. On a kept one, a server that closes it and a server that loses the request look alike.
   *
   * @param routes which take turns
   * @param concurrency requests at a time
   */
  constructor(url: string, routes: readonly Workload[], concurrency: number) {
    this.connections = Array.from({ length: concurrency }, (_, i) => this.visit(url, routes, i))
  }

  /** @returns once the requests in flight have ended, or soon: a server that still runs may never answer them */
  async stop(): Promise<void> {
    this.isOver = true
    await Promise.race([allOf(this.connections), sleep(PATIENCE_MS, undefined, { ref: false })])
  }

  private async visit(url: string, routes: readonly Workload[], first: number): Promise<void> {
    for (let i = first; !this.isOver; i++) {
      const { method, path, body, headers } = requestOf(routes[i % routes.length] as Workload)
      const id = ++this.sent
      const sentAt = Date.now()
      const asked = ask(url + path, { method, body, headers: { ...headers, [HEADER]: String(id) }, timeoutMs: TIMEOUT_MS })
      const failure = await failureOf(asked)
      this.all.push({ id, sentAt, endedAt: Date.now(), route: `${method} ${path}`, ...(failure === undefined ? {} : { failure }) })
      await sleep(PAUSE_MS)
    }
  }
}

async function failureOf(answer: ReturnType<typeof ask>): Promise<string | undefined> {
  try {
    const { status } = await answer
    return status >= 500 ? `status ${status}` : undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ECONNREFUSED') return 'refused'
    return code === undefined ? 'no answer in time' : 'closed without an answer'
  }
}
