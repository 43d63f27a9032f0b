/** Checks the servers' reports about themselves: every arm has the same PHP with OPcache, and waits overlap if the runtime promises it. */

import { type DatabaseChoice, isOnServer } from '../config/database.ts'
import type { Arm } from '../config/experiment.ts'
import type { Runtime } from '../config/runtimes.ts'
import type { Server } from '../engines/engine.ts'
import { slowingAmong } from '../provision/slowing.ts'
import { AppFailure, MeasurementError } from '../system/errors.ts'
import { ask } from '../system/http.ts'
import { armName } from './answers.ts'

/** By `revision/mode`. */
export type ServerFacts = Record<string, Record<string, unknown>>

/** The length of simultaneous waits that show whether they overlap. It is longer if a refusal depends on it. */
const WAIT_MS = { promised: 100, noted: 50 } as const
/** The most tries, for a mode that promises to overlap waits. */
const TRIES = 6
const MOST_WAITS = 64
/** Extensions that belong to a SAPI, so they may differ between servers. */
const OF_SAPI = ['cgi-fcgi', 'cli_server', 'pcntl', 'readline', 'swoole']

/** @throws MeasurementError if OPcache is off, or a debugger is on */
export async function factsOf(server: Server, arm: Arm): Promise<Record<string, unknown>> {
  const facts = JSON.parse((await ask(`${server.url}/_bench/facts`)).body) as Record<string, unknown>
  if (!runsPhp(facts)) return facts
  if (facts.opcache !== true) {
    throw new MeasurementError(
      `${armName(arm)}: OPcache is off. Without it the comparison is meaningless. Install php-opcache, and leave opcache.enable on.`,
    )
  }
  refuseDebuggers(armName(arm), facts.debuggers as string[])
  return facts
}

/** A server in another language has no PHP that could differ. */
function runsPhp({ language = 'php' }: Record<string, unknown>): boolean {
  return language === 'php'
}

/**
 * @param connections the number of requests that the mode serves at once
 * @param workers that share them
 * @returns additional facts
 * @throws AppFailure if a runtime that promises to overlap waits does not
 */
export async function checkWaiting(
  server: Server,
  arm: Arm,
  runtime: Runtime,
  { connections, workers }: { connections: number; workers: number },
): Promise<Record<string, unknown>> {
  const waitMs = WAIT_MS[runtime.overlapsWaiting ? 'promised' : 'noted']
  const count = Math.min(MOST_WAITS, connections)
  const limitMs = limitOf(waitMs, count, workers)
  const ms = await shortest(server, count, waitMs, runtime.overlapsWaiting ? TRIES : 1, limitMs)
  if (runtime.overlapsWaiting && ms >= limitMs) {
    throw new AppFailure(
      `${armName(arm)}: ${count} waits of ${waitMs} ms side by side took ${ms} ms, so the I/O hooks are off. The mode would not be asynchronous.`,
      undefined,
      '',
      'waits without yielding',
    )
  }
  return { waits_overlap: ms < limitMs, waits: count, waits_ms: ms }
}

/** @param active extensions that the server reports as active */
function refuseDebuggers(arm: string, active: readonly string[]): void {
  const [found] = slowingAmong(active)
  if (found) throw new MeasurementError(`${arm}: ${found.name} is on. It ${found.harm}. Switch it off: ${found.remedy}.`)
}

/**
 * Half way between the time of overlapping waits and that of workers which wait for one after the other: a busy machine is late, too.
 * Where each worker has hardly more than one, both times are the same, so only far longer ones tell anything.
 */
function limitOf(waitMs: number, count: number, workers: number): number {
  const inTurnMs = Math.ceil(count / workers) * waitMs
  return inTurnMs < 2 * waitMs ? 2.5 * waitMs : (waitMs + inTurnMs) / 2
}

/**
 * Sends as many waits as the mode may serve at once. A busy machine is late now and then, a server without hooks each time. So the
 * fastest of a few tries counts.
 *
 * @param tries the most tries, which end with one below enoughMs
 * @returns milliseconds
 */
async function shortest(server: Server, count: number, waitMs: number, tries: number, enoughMs: number): Promise<number> {
  let ms = Number.POSITIVE_INFINITY
  for (let tried = 0; tried < tries && ms >= enoughMs; tried++) {
    const started = Date.now()
    await Promise.all(Array.from({ length: count }, () => ask(`${server.url}/_bench/wait?ms=${waitMs}`)))
    ms = Math.min(ms, Date.now() - started)
  }
  return ms
}

/**
 * All arms must have the same PHP and the same extensions. Otherwise a difference would be measured as a gain. A server with PHP inside may
 * have another patch release, because nobody can choose it.
 *
 * @returns warnings
 */
export function compareServers(servers: ServerFacts, arms: readonly Arm[] = []): string[] {
  const [first, ...rest] = Object.entries(servers).filter(([, facts]) => runsPhp(facts))
  if (!first) return []
  const agents = slowingAmong(Object.keys(first[1].extensions as object))
    .filter(({ isOffInArms }) => !isOffInArms)
    .map(({ name, harm, remedy }) => `${first[0]} has the extension ${name}, which ${harm}. Without it: ${remedy}.`)
  const own = arms.filter(({ mode }) => mode.via === 'runtime' && mode.runtime.ownPhp).map(armName)
  return [...agents, ...differences(first, rest, own)]
}

/** Swoole waits for PostgreSQL without blocking only if it was built with PostgreSQL's headers. @returns warnings */
export function missingHooks(servers: ServerFacts, arms: readonly Arm[], database: DatabaseChoice): string[] {
  if (!isOnServer(database) || database.language !== 'postgres') return []
  const blocking = arms.filter((arm) => {
    const swoole = servers[armName(arm)]?.swoole as { hooks_pdo_pgsql: boolean } | null | undefined
    return arm.mode.via === 'runtime' && arm.mode.runtime.overlapsWaiting && swoole?.hooks_pdo_pgsql === false
  })
  return blocking.map(
    (arm) =>
      `${armName(arm)}: this Swoole has no hook for pdo_pgsql, so each query blocks its worker. Build it with --enable-swoole-pgsql.`,
  )
}

/** @param ownPhp arms with PHP inside */
function differences(first: [string, ServerFacts[string]], rest: [string, ServerFacts[string]][], ownPhp: readonly string[]): string[] {
  return rest.flatMap(([name, facts]) => {
    const versions = `${name} runs PHP ${facts.php}, ${first[0]} runs PHP ${first[1].php}.`
    const isOwn = ownPhp.includes(name) || ownPhp.includes(first[0])
    if (isOwn ? minorOf(facts) !== minorOf(first[1]) : facts.php !== first[1].php)
      throw new MeasurementError(`${versions} All arms need the same version.`)
    const release = facts.php === first[1].php ? [] : [`${versions} A part of the difference between them may be PHP's.`]
    const own = Object.keys(facts.extensions as object)
    const other = Object.keys(first[1].extensions as object)
    const difference = [...own.filter((e) => !other.includes(e)), ...other.filter((e) => !own.includes(e))].filter(
      (e) => !OF_SAPI.includes(e),
    )
    return [...release, ...(difference.length ? [`${name} and ${first[0]} differ in extensions: ${difference.join(', ')}.`] : [])]
  })
}

/** Such as 8.5. */
function minorOf({ php }: ServerFacts[string]): string | undefined {
  return /^\d+\.\d+/.exec(String(php))?.[0]
}
