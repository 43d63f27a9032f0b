/** Is this arm worth measuring? Everything that makes fast answers worthless is looked for before anything is timed. */

import type { Arm, Cell, Load, Mode, Revision, Workload } from '../config/experiment.ts'
import type { Engine, Server } from '../engines/engine.ts'
import { pathOf } from '../measure/hey.ts'
import { Cancelled, MeasurementError, messageOf } from '../system/errors.ts'
import { type Answer, ask } from '../system/http.ts'
import { atRest } from '../system/tail.ts'
import { masked } from './mask.ts'

export interface PreflightOptions {
  engine: Engine
  arms: Arm[]
  /** What a revision is asked for. */
  workloadsOf: (revision: Revision) => Workload[]
  /** Workloads that base may not know. */
  borrowed: ReadonlySet<string>
  loads: Load[]
  /** Requests that every mode serves at a time. */
  connections: number
  signal: AbortSignal
  say: (line: string) => void
}

/** What the servers say of themselves, by `revision/mode`, for run.json. */
export interface PreflightFacts {
  servers: Record<string, Record<string, unknown>>
  warnings: string[]
  /** Workloads of the user's that base answers with 404: they have nothing to be compared with. */
  newInHead: Set<string>
}

/** Waits of this length are sent side by side to see whether they overlap. */
const WAIT_MS = 100
/** Requests a connection, in the check at full concurrency. */
const ROUNDS = 3

/** @throws MeasurementError naming arm, workload, what was expected and what came */
export async function preflight(options: PreflightOptions): Promise<PreflightFacts> {
  const facts: PreflightFacts = { servers: {}, warnings: [], newInHead: new Set() }
  const bodies = new Map<string, { arm: Arm; body: string }>()
  for (const arm of options.arms) {
    if (options.signal.aborted) throw new Cancelled('Cancelled in preflight.')
    const name = armName(arm)
    options.say(`preflight: ${name}`)
    await withServer(options.engine, arm, async (server) => {
      if (arm.mode.via === 'runtime') facts.servers[name] = await checkRuntime(server, arm.mode, name, options.connections)
      for (const workload of options.workloadsOf(arm.revision)) {
        if (options.borrowed.has(workload.name) && (await isNew(server, arm, workload, facts))) continue
        const body = await checkWorkload(server, arm, workload, options.engine)
        compare(bodies, arm, workload, body, facts.warnings)
        await checkConcurrency(server, arm, workload, highest(options.loads))
      }
    })
    await withServer(options.engine, arm, (server) =>
      checkColdStart(server, arm, workloadsIn(arm, options.workloadsOf(arm.revision), facts), highest(options.loads)),
    )
  }
  compareServers(facts)
  return facts
}

export function armName(arm: Arm): string {
  return `${arm.revision}/${arm.mode.name}`
}

async function withServer(engine: Engine, arm: Arm, check: (server: Server) => Promise<void>): Promise<void> {
  await engine.restore(arm.revision)
  const server = await engine.start(arm, 'preflight')
  try {
    await check(server)
  } catch (error) {
    const log = await atRest(() => server.logTail())
    throw new MeasurementError(`${messageOf(error)}${log ? `\nThe server's log ends with:\n${log}` : ''}`)
  } finally {
    await server.stop()
  }
}

function workloadsIn(arm: Arm, workloads: Workload[], { newInHead }: PreflightFacts): Workload[] {
  return arm.revision === 'head' ? workloads : workloads.filter((workload) => !newInHead.has(workload.name))
}

/** A path of the user's that base does not know yet. Head must answer it: there a 404 is an error. */
async function isNew(server: Server, arm: Arm, workload: Workload, facts: PreflightFacts): Promise<boolean> {
  if (arm.revision === 'head' || workload.builtIn || workload.expect.status === 404) return false
  const isMissing = (await get(server, workload, 1, armName(arm))).status === 404
  if (isMissing && !facts.newInHead.has(workload.name)) {
    facts.newInHead.add(workload.name)
    facts.warnings.push(`\`${workload.name}\`: base answers 404, so the workload is new and not gated.`)
  }
  return isMissing
}

/** OPcache, and whether waiting overlaps where the runtime promises it. */
async function checkRuntime(
  server: Server,
  mode: Extract<Mode, { via: 'runtime' }>,
  name: string,
  connections: number,
): Promise<Record<string, unknown>> {
  const facts = JSON.parse((await ask(`${server.url}/_bench/facts`)).body) as Record<string, unknown>
  if (facts.opcache !== true) {
    throw new MeasurementError(
      `${name}: OPcache is off. Every mode needs it: without it the comparison is absurd. Install php-opcache, and do not turn opcache.enable off.`,
    )
  }
  const overlapped = await waitsOverlap(server, connections)
  if (mode.runtime.overlapsWaiting && !overlapped.isFast) {
    throw new MeasurementError(
      `${name}: ${overlapped.count} waits of ${WAIT_MS} ms side by side took ${overlapped.ms} ms, so the I/O hooks are off. The mode would not be asynchronous.`,
    )
  }
  return { ...facts, waits_overlap: overlapped.isFast, waits: overlapped.count, waits_ms: overlapped.ms }
}

/** As many waits as the mode may serve at a time: they take one wait's time where they overlap. */
async function waitsOverlap(server: Server, connections: number): Promise<{ ms: number; count: number; isFast: boolean }> {
  const count = Math.min(64, connections)
  const started = Date.now()
  await Promise.all(Array.from({ length: count }, () => ask(`${server.url}/_bench/wait?ms=${WAIT_MS}`)))
  const ms = Date.now() - started
  return { ms, count, isFast: ms < 2.5 * WAIT_MS }
}

/** One answer after the other: status, expected text, no encoding, statements on the server. Returns the masked body. */
async function checkWorkload(server: Server, arm: Arm, workload: Workload, engine: Engine): Promise<string> {
  const place = `${armName(arm)}, workload ${workload.name}`
  const statements = workload.builtIn?.statements
  const before = statements ? await engine.statementCounts() : {}
  const answer = await rightAnswer(server, workload, 1, place)
  if (answer.headers['content-encoding']) {
    throw new MeasurementError(
      `${place}: answered with Content-Encoding: ${answer.headers['content-encoding']}, though none was asked for. Compression would be measured in one mode only; turn it off.`,
    )
  }
  if (statements) {
    const after = await engine.statementCounts()
    for (const [verb, expected] of Object.entries(statements)) {
      const made = (after[verb] ?? 0) - (before[verb] ?? 0)
      if (made !== expected)
        throw new MeasurementError(
          `${place}: one request made ${made} ${verb.toUpperCase()} statements, expected ${expected}. Is somebody else using this database server?`,
        )
    }
  }
  return masked(answer.body, workload.mask)
}

/** At the highest concurrency, with distinct identities, every body is compared: shared state answers with another user's data. */
async function checkConcurrency(server: Server, arm: Arm, workload: Workload, concurrency: number): Promise<void> {
  const place = `${armName(arm)}, workload ${workload.name}, ${concurrency} requests at a time`
  const isDistinct = workload.path.includes('{id}')
  const ids = Array.from({ length: concurrency }, (_, i) => (isDistinct ? i + 1 : 1))
  const expected = new Map<number, string>()
  for (const id of new Set(ids)) {
    expected.set(id, masked((await rightAnswer(server, workload, id, place)).body, workload.mask))
  }
  await Promise.all(
    ids.map(async (id) => {
      for (let round = 0; round < ROUNDS; round++) {
        const body = masked((await rightAnswer(server, workload, id, place)).body, workload.mask)
        if (body !== expected.get(id))
          throw new MeasurementError(
            `${place}: the answer${isDistinct ? ` for id ${id}` : ''} differs from the one to a single request. ${difference(expected.get(id) as string, body)} Do requests share state? What may differ belongs into the workload's mask.`,
          )
      }
    }),
  )
}

/** A server that has just started gets the full load at once, and none of it may fail. */
async function checkColdStart(server: Server, arm: Arm, workloads: Workload[], concurrency: number): Promise<void> {
  for (const workload of workloads) {
    const place = `${armName(arm)}, workload ${workload.name}, cold start under load`
    await Promise.all(Array.from({ length: concurrency }, () => rightAnswer(server, workload, 1, place)))
  }
}

/** Whatever is answered. */
async function get(server: Server, workload: Workload, id: number, place: string): Promise<Answer> {
  const cell: Cell = { workload, load: { name: '', concurrency: 1 } }
  try {
    return await ask(server.url + pathOf(cell, id), {
      method: workload.method,
      headers: workload.headers,
      body: workload.body,
      timeoutMs: 30_000,
    })
  } catch (error) {
    throw new MeasurementError(`${place}: expected an answer with status ${workload.expect.status}, but: ${messageOf(error)}`)
  }
}

/** An answer as the workload expects it. */
async function rightAnswer(server: Server, workload: Workload, id: number, place: string): Promise<Answer> {
  const answer = await get(server, workload, id, place)
  const { expect } = workload
  const excerpt = JSON.stringify(answer.body.slice(0, 200))
  if (answer.status !== expect.status)
    throw new MeasurementError(`${place}: expected status ${expect.status}, got ${answer.status} with ${excerpt}`)
  if (expect.contains !== undefined && !answer.body.includes(expect.contains)) {
    throw new MeasurementError(`${place}: expected a body with ${JSON.stringify(expect.contains)}, got ${excerpt}`)
  }
  return answer
}

/** Modes of one revision must answer alike. Between revisions a pull request may change an answer: that is said, not refused. */
function compare(bodies: Map<string, { arm: Arm; body: string }>, arm: Arm, workload: Workload, body: string, warnings: string[]): void {
  const key = `${arm.revision} ${workload.name}`
  const first = bodies.get(key)
  if (first && first.body !== body) {
    throw new MeasurementError(
      `${armName(arm)}, workload ${workload.name}: answers differently from ${armName(first.arm)}. ${difference(first.body, body)} What may differ belongs into the workload's mask.`,
    )
  }
  bodies.set(key, first ?? { arm, body })
  const base = bodies.get(`base ${workload.name}`)
  const head = bodies.get(`head ${workload.name}`)
  const warning = `\`${workload.name}\`: head's answer differs from base's; the comparison includes what that costs.`
  if (base && head && base.body !== head.body && !warnings.includes(warning)) warnings.push(warning)
}

/** The same PHP and the same extensions in all arms; what differs would be measured as a gain. */
function compareServers({ servers, warnings }: PreflightFacts): void {
  const [first, ...rest] = Object.entries(servers)
  if (!first) return
  for (const [name, facts] of rest) {
    if (facts.php !== first[1].php)
      throw new MeasurementError(`${name} runs PHP ${facts.php}, ${first[0]} runs PHP ${first[1].php}. All arms need the same one.`)
    const own = Object.keys(facts.extensions as object)
    const other = Object.keys(first[1].extensions as object)
    // Extensions that belong to a SAPI: the command line's are of no use to FPM, and the other way round.
    const sapiOnly = ['cgi-fcgi', 'pcntl', 'readline', 'swoole']
    const difference = [...own.filter((e) => !other.includes(e)), ...other.filter((e) => !own.includes(e))].filter(
      (e) => !sapiOnly.includes(e),
    )
    if (difference.length) warnings.push(`${name} and ${first[0]} differ in extensions: ${difference.join(', ')}.`)
  }
}

/** Where two texts part, with a few characters of each. */
function difference(expected: string, found: string): string {
  let i = 0
  while (i < expected.length && expected[i] === found[i]) i++
  const around = (text: string): string => JSON.stringify(text.slice(Math.max(0, i - 20), i + 60))
  return `At character ${i + 1}: expected ${around(expected)}, got ${around(found)}.`
}

function highest(loads: Load[]): number {
  return Math.max(...loads.map((load) => load.concurrency))
}
