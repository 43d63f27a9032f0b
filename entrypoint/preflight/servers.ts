/** What servers say of themselves: the same PHP with OPcache in every arm, and waiting that overlaps where the runtime promises it. */

import type { Arm } from '../config/experiment.ts'
import type { Runtime } from '../config/runtimes.ts'
import type { Server } from '../engines/engine.ts'
import { slowingAmong } from '../provision/slowing.ts'
import { MeasurementError } from '../system/errors.ts'
import { ask } from '../system/http.ts'
import { armName } from './answers.ts'

/** By `revision/mode`. */
export type ServerFacts = Record<string, Record<string, unknown>>

/** Waits of this length are sent side by side to see whether they overlap. */
const WAIT_MS = 100
/** Extensions that belong to a SAPI: the command line's are of no use to FPM, and the other way round. */
const OF_SAPI = ['cgi-fcgi', 'pcntl', 'readline', 'swoole']

/** @throws MeasurementError where OPcache is off, or a debugger is on */
export async function factsOf(server: Server, arm: Arm): Promise<Record<string, unknown>> {
  const facts = JSON.parse((await ask(`${server.url}/_bench/facts`)).body) as Record<string, unknown>
  if (facts.opcache !== true) {
    throw new MeasurementError(
      `${armName(arm)}: OPcache is off. Every mode needs it: without it the comparison is absurd. Install php-opcache, and do not turn opcache.enable off.`,
    )
  }
  refuseDebuggers(armName(arm), facts.debuggers as string[])
  return facts
}

/**
 * @param connections requests that the mode serves at a time
 * @returns what it adds to the facts
 * @throws MeasurementError where a runtime that promises to overlap waits does not
 */
export async function checkWaiting(server: Server, arm: Arm, runtime: Runtime, connections: number): Promise<Record<string, unknown>> {
  const overlapped = await waitsOverlap(server, connections)
  if (runtime.overlapsWaiting && !overlapped.isFast) {
    throw new MeasurementError(
      `${armName(arm)}: ${overlapped.count} waits of ${WAIT_MS} ms side by side took ${overlapped.ms} ms, so the I/O hooks are off. The mode would not be asynchronous.`,
    )
  }
  return { waits_overlap: overlapped.isFast, waits: overlapped.count, waits_ms: overlapped.ms }
}

/** @param active what the server says that is on */
function refuseDebuggers(arm: string, active: readonly string[]): void {
  const [found] = slowingAmong(active)
  if (found) throw new MeasurementError(`${arm}: ${found.name} is on. It ${found.harm}. Switch it off: ${found.remedy}.`)
}

/** As many waits as the mode may serve at a time: they take one wait's time where they overlap. */
async function waitsOverlap(server: Server, connections: number): Promise<{ ms: number; count: number; isFast: boolean }> {
  const count = Math.min(64, connections)
  const started = Date.now()
  await Promise.all(Array.from({ length: count }, () => ask(`${server.url}/_bench/wait?ms=${WAIT_MS}`)))
  const ms = Date.now() - started
  return { ms, count, isFast: ms < 2.5 * WAIT_MS }
}

/**
 * The same PHP and the same extensions in all arms; what differs would be measured as a gain.
 *
 * @returns warnings
 */
export function compareServers(servers: ServerFacts): string[] {
  const [first, ...rest] = Object.entries(servers)
  if (!first) return []
  const agents = slowingAmong(Object.keys(first[1].extensions as object))
    .filter(({ isOffInArms }) => !isOffInArms)
    .map(({ name, harm, remedy }) => `${first[0]} has the extension ${name}, which ${harm}. Without it: ${remedy}.`)
  return [...agents, ...differences(first, rest)]
}

function differences(first: [string, ServerFacts[string]], rest: [string, ServerFacts[string]][]): string[] {
  return rest.flatMap(([name, facts]) => {
    if (facts.php !== first[1].php)
      throw new MeasurementError(`${name} runs PHP ${facts.php}, ${first[0]} runs PHP ${first[1].php}. All arms need the same one.`)
    const own = Object.keys(facts.extensions as object)
    const other = Object.keys(first[1].extensions as object)
    const difference = [...own.filter((e) => !other.includes(e)), ...other.filter((e) => !own.includes(e))].filter(
      (e) => !OF_SAPI.includes(e),
    )
    return difference.length ? [`${name} and ${first[0]} differ in extensions: ${difference.join(', ')}.`] : []
  })
}
