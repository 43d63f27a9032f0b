/** Load that keeps the time and the outcome of each request, because hey's errors have no time. */
import { setTimeout as sleep } from 'node:timers/promises'
import { requestOf } from '../config/identities.ts'
import type { Workload } from '../config/workload.ts'
import { countOf } from '../system/count-of.ts'
import { ask } from '../system/http.ts'
import { allOf } from '../system/settle-all.ts'

export interface Visit {
  /** The server logs it for each request that the app has begun. */
  id: number

  /** In milliseconds of the wall clock. */
  sentAt: number
  endedAt: number
  /** Method and path. */
  route: string
  /** The kind of failure. Undefined if it was answered. */
  failure?: string
}

/** A request that takes longer counts as lost. */
const TIMEOUT_MS = 10_000
const PATIENCE_MS = 1000
/** The pause before a connection's next request. It limits the length of the log, which is read to its end. */
const PAUSE_MS = 5
/** A request that waited this long, unread, kept its worker from ending. Others are lost within milliseconds. */
const LONG_UNREAD_MS = 1000
/** As in php/src/Server/Instance.php. */
const HEADER = 'X-Async-Php-Bench-Visit'

export class Visits {
  readonly all: Visit[] = []
  private isOver = false
  private sent = 0
  private readonly connections: Promise<void>[]

  /**
   * Each request has a connection of its own. On a kept one, a server that closes it and a server that loses the request look alike.
   *
   * @param routes take turns
   * @param concurrency the number of simultaneous requests
   */
  constructor(url: string, routes: readonly Workload[], concurrency: number) {
    this.connections = Array.from({ length: concurrency }, (_, i) => this.visit(url, routes, i))
  }

  /** Resolves once the requests in flight have ended, or soon after, because a server may never answer them. */
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

/** Asks each route once. @returns the first that fails */
export async function firstFailure(url: string, routes: readonly Workload[]): Promise<string | undefined> {
  for (const workload of routes) {
    const { method, path, body, headers } = requestOf(workload)
    const failure = await failureOf(ask(url + path, { method, body, headers, timeoutMs: TIMEOUT_MS }))
    if (failure !== undefined) return `${method} ${path} fails: ${failure}`
  }
  return undefined
}

/** The numbers of the requests that the app has begun, from the server's log. */
export function begunIn(log: string): ReadonlySet<number> {
  return new Set([...log.matchAll(/^begun (\d+)$/gm)].map(([, id]) => Number(id)))
}

/**
 * A worker is ended by force if the app keeps it busy. Swoole also does that to a worker that has accepted connections and does not read
 * them any more: the app never sees those.
 */
export function forced(log: string, visits: readonly Visit[], begun: ReadonlySet<number>): { broken: string[]; told: string } {
  if (!isForced(log)) return { broken: [], told: '' }
  const text = 'its log says "forced termination"'
  const unread = visits.filter(
    ({ id, sentAt, endedAt, failure }) => failure !== undefined && !begun.has(id) && endedAt - sentAt >= LONG_UNREAD_MS,
  )
  if (unread.length === 0) return { broken: [text], told: '' }
  return { broken: [], told: `${text}, while ${countOf(unread.length, 'request')} waited that the app had not begun` }
}

export function isForced(log: string): boolean {
  return /forced termination/i.test(log)
}

export function named({ route, failure }: Visit): string {
  return `${route}: ${failure}`
}

/** In milliseconds. */
export function p99Of(visits: readonly Visit[]): string {
  const took = visits.map(({ sentAt, endedAt }) => endedAt - sentAt).sort((a, b) => a - b)
  return (took[Math.ceil(took.length * 0.99) - 1] ?? 0).toFixed(0)
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
