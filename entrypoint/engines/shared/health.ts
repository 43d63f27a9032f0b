/** Waits until the started server answers, with all of its processes. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Mode } from '../../config/experiment.ts'
import { ask } from '../../system/http.ts'
import type { Server } from '../engine.ts'
import { elsewhere } from './listening.ts'

const START_LIMIT_MS = 30_000
/** A server that only answers errors for this long will not recover. */
const ERROR_LIMIT_MS = 3_000
/** A pause between errors, because each may be a stack trace in the log. */
const ERROR_PAUSE_MS = 100

/** Says why a server has ended, or undefined while it lives. */
export type Ended = () => Promise<string | undefined>

/** Waiting will not help. */
class Hopeless extends Error {}

/**
 * Waits until every worker has answered, because load must not begin while some of them still boot. Workers that share a port answer in
 * turn.
 *
 * @param workers how many must have answered
 * @param patience how much slower than usual the server may be
 * @throws Error if the server ends, only answers errors, or is not the started one
 */
export async function untilAllWorkersAnswer(url: string, nonce: string, workers: number, ended: Ended, patience = 1): Promise<void> {
  const seen = new Set<number>()
  let last = 'nothing'
  let firstError = 0
  await until(
    async () => {
      const answer = await ask(`${url}/_bench/health`, { timeoutMs: 2000 * patience })
      last = `${answer.status} ${answer.body.slice(0, 200)}`.trim()
      if (answer.status !== 200) {
        firstError ||= Date.now()
        if (Date.now() - firstError > ERROR_LIMIT_MS) throw new Hopeless(`its health path answers ${last}`)
        await sleep(ERROR_PAUSE_MS)
        return false
      }
      const health = JSON.parse(answer.body) as { nonce?: string; pid?: number }
      if (health.nonce !== nonce) throw new Hopeless(`another server answers at ${url}`)
      seen.add(health.pid as number)
      return seen.size >= workers
    },
    ended,
    () => `${seen.size} of ${workers} workers answered within ${(START_LIMIT_MS * patience) / 1000} s; the last answer was ${last}`,
    patience,
  )
}

/**
 * Waits for an answer below 400. The user's own server knows no nonce.
 *
 * @param port the port that the server was told to use
 * @param ports the ports that its processes use
 * @throws Error if the server ends, or answers nothing below 400 in time
 */
export async function untilHealthy(
  { url, health, port }: { url: string; health: string; port: number },
  ended: Ended,
  ports: () => Promise<number[]>,
): Promise<void> {
  let last = ''
  await until(
    async () => {
      const { status } = await ask(url + health, { timeoutMs: 2000 })
      last = ` (the last answer was ${status})`
      return status >= 200 && status < 400
    },
    ended,
    async () =>
      `no response below 400 from ${health} on port ${port} within ${START_LIMIT_MS / 1000} s${last}${elsewhere(port, await ports())}`,
  )
}

export async function until(
  isTrue: () => Promise<boolean>,
  ended: Ended,
  failure: () => string | Promise<string>,
  patience = 1,
): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS * patience
  for (;;) {
    const end = await ended()
    if (end) throw new Error(`the server ended with ${end}`)
    try {
      if (await isTrue()) return
    } catch (error) {
      if (error instanceof Hopeless) throw error
    }
    if (Date.now() > deadline) throw new Error(await failure())
    await sleep(10)
  }
}

/** Chance decides which of the workers that share a port answers. They are asked for this long, until all have answered. */
const COUNTER_LIMIT_MS = 1000

/**
 * The counters at a path of a server. They are only notes, so a run without them still counts. If a worker answers for itself, with its
 * `pid`, all workers are asked.
 *
 * @param workers the number of workers
 */
export async function countersOf(server: Pick<Server, 'url'>, path: string, workers: number): Promise<Record<string, unknown> | undefined> {
  const seen = new Map<number, Record<string, unknown>>()
  try {
    for (const deadline = Date.now() + COUNTER_LIMIT_MS; Date.now() < deadline && seen.size < workers; ) {
      const counters = JSON.parse((await ask(server.url + path, { timeoutMs: 5000 })).body) as Record<string, unknown>
      if (typeof counters.pid !== 'number') return counters
      seen.set(counters.pid, counters)
    }
  } catch {
    if (seen.size === 0) return undefined
  }
  return { of: workers, workers: [...seen.values()] }
}

/** A list of processes that does not change for this long is complete. */
const SETTLED_MS = 300
/** The most looks at a server that starts and ends processes all the time. */
const LOOKS = 8

/** Waits until a user's own server has started its last workers, because it may answer before that. */
export async function settled(pids: () => Promise<number[]>): Promise<number[]> {
  let last = await pids()
  for (let look = 1; look < LOOKS; look++) {
    await sleep(SETTLED_MS)
    const now = await pids()
    if (now.join() === last.join()) break
    last = now
  }
  return last
}

/**
 * Describes replaced or lost workers. Processes that the app itself started do not count.
 *
 * @param own the server's processes when it became ready
 */
export function lostProcesses(own: readonly number[], now: readonly number[], { via }: Pick<Mode, 'via'>): string | undefined {
  const lost = own.filter((pid) => !now.includes(pid))
  if (lost.length === 0) return undefined
  return `${lost.length} of ${own.length} server processes ended or were replaced${via === 'command' ? `. ${KEEP_WORKERS}` : ''}`
}

const KEEP_WORKERS = 'If they did not crash, let the command keep its workers: --max-requests=0 in Octane, max_request 0 in Swoole'
