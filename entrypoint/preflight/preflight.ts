/** Preflight: looks for faults that would make a measurement worthless, before anything is measured. */

import type { DatabaseChoice } from '../config/database.ts'
import type { Arm, Load, Revision } from '../config/experiment.ts'
import type { Workload } from '../config/workload.ts'
import type { Engine, Server } from '../engines/engine.ts'
import { workersOf } from '../engines/shared/bench-variables.ts'
import { AppFailure, Cancelled, MeasurementError, messageOf } from '../system/errors.ts'
import { atRest } from '../system/tail.ts'
import { answerOf, armName, compare, placeOf, type References, referenceOf } from './answers.ts'
import { answersAlone, checkColdStart, checkConcurrency } from './concurrency.ts'
import { againIfHeadFails } from './head-alone.ts'
import { type Loaded, loadedBy } from './loaded.ts'
import { checkWaiting, compareServers, factsOf, missingHooks, type ServerFacts } from './servers.ts'
import { type Statements, statementsOf } from './statements.ts'

export interface PreflightOptions {
  engine: Engine
  arms: Arm[]
  /** The workloads that a revision is asked for. */
  workloadsOf: (revision: Revision) => Workload[]
  /** Workloads that base may not know. */
  borrowed: ReadonlySet<string>
  /** Workloads that are not compared with base, such as those that base defines differently. */
  ungated: ReadonlySet<string>
  loads: Load[]
  /** The number of requests that every mode can serve at once. */
  connections: number
  database: DatabaseChoice
  signal: AbortSignal
  say: (line: string) => void
}

/** The findings by `revision/mode`. Those about workloads are by name, too. */
export interface PreflightFound {
  /** The servers' facts about themselves. */
  servers: ServerFacts
  /** Statements of one request, if only this job uses the database server. */
  statements: Record<string, Record<string, Statements>>
  /** Files that a request loads, if the server is ours. */
  loaded: Record<string, Record<string, Loaded>>
  warnings: string[]
  /** The user's workloads that base answers with 404. They cannot be compared. */
  newInHead: Set<string>
}

/**
 * @throws HeadFailed if the app of head fails, and base's does not
 * @throws MeasurementError with the arm, the workload, and the expected and actual results
 */
export async function preflight(options: PreflightOptions): Promise<PreflightFound> {
  const { engine, arms, loads, signal, say } = options
  const found: PreflightFound = { servers: {}, statements: {}, loaded: {}, warnings: [], newInHead: new Set() }
  const references: References = new Map()
  const concurrency = Math.max(...loads.map((load) => load.concurrency))
  for (const arm of arms) {
    if (signal.aborted) throw new Cancelled('Cancelled in preflight.')
    say(`preflight: ${armName(arm)}`)
    const check = async (): Promise<void> => {
      const workloads = await withServer(engine, arm, (server) => checkWarm(server, arm, concurrency, references, found, options))
      await withServer(engine, arm, async (server) => {
        for (const workload of workloads) await checkColdStart(server, arm, workload, concurrency)
      })
    }
    const warning = await againIfHeadFails(check, arm, { ...options, newInHead: new Set([...found.newInHead, ...options.ungated]) })
    if (warning) found.warnings.push(warning)
  }
  found.warnings.push(...compareServers(found.servers, arms), ...missingHooks(found.servers, arms, options.database))
  return found
}

async function withServer<T>(engine: Engine, arm: Arm, check: (server: Server) => Promise<T>): Promise<T> {
  await engine.restore(arm.revision)
  const server = await engine.start(arm, 'preflight')
  try {
    return await check(server)
  } catch (error) {
    const log = await atRest(() => server.logTail())
    const memory = error instanceof AppFailure ? await memoryOf(server) : ''
    const advice = arm.revision === 'base' ? `\n${BROKEN_BASE}` : ''
    const message = `${messageOf(error)}${memory}${log ? `\nThe server's log ends with:\n${log}` : ''}${advice}`
    throw error instanceof AppFailure
      ? new AppFailure(message, error.workload, await server.log(), error.fault)
      : new MeasurementError(message)
  } finally {
    await server.stop()
  }
}

/** @returns a sentence, or nothing if the server is gone */
async function memoryOf(server: Server): Promise<string> {
  const kib = await server.usage().then(
    ({ memoryKib }) => memoryKib,
    () => 0,
  )
  return kib > 0 ? `\nThe arm holds ${(kib / 1024).toFixed(0)} MiB.` : ''
}

const BROKEN_BASE = 'This is base, served with its own configuration. If head repairs it, measure head by itself: baseline: none.'

/** @returns the workloads that the arm knows */
async function checkWarm(
  server: Server,
  arm: Arm,
  concurrency: number,
  references: References,
  found: PreflightFound,
  { engine, workloadsOf, borrowed, connections }: PreflightOptions,
): Promise<Workload[]> {
  const name = armName(arm)
  const runtime = arm.mode.via === 'runtime' ? arm.mode.runtime : undefined
  if (runtime) found.servers[name] = await factsOf(server, arm)
  const known: Workload[] = []
  for (const workload of workloadsOf(arm.revision)) {
    if (borrowed.has(workload.name) && (await isNew(server, arm, workload, found))) continue
    known.push(workload)
    const reference = await referenceOf(server, arm, workload)
    const alone = await answersAlone(server, arm, workload, concurrency)
    const warning = compare(references, arm, workload, reference, alone)
    if (warning) found.warnings.push(warning)
    await checkConcurrency(server, arm, workload, concurrency, alone)
    const loaded = runtime && (await loadedBy(server, workload))
    if (loaded) found.loaded[name] = { ...found.loaded[name], [workload.name]: loaded }
  }
  const waiting = async (): Promise<void> => {
    if (!runtime) return
    const workers = workersOf(runtime, connections, engine.appCpus, 'preflight')
    Object.assign(found.servers[name] as object, await checkWaiting(server, arm, runtime, { connections, workers }))
  }
  const counted = known.filter(({ builtIn }) => engine.hasOwnDatabase || builtIn?.statements)
  if (counted.length) found.statements[name] = await statementsOf(server, arm, counted, engine, waiting)
  else await waiting()
  return known
}

/** Whether a path of the user's is new, because base answers 404. In head a 404 is an error. */
async function isNew(server: Server, arm: Arm, workload: Workload, found: PreflightFound): Promise<boolean> {
  if (arm.revision === 'head' || workload.builtIn || workload.expect.status === 404) return false
  const isMissing = (await answerOf(server, workload, placeOf(arm, workload))).status === 404
  if (isMissing && !found.newInHead.has(workload.name)) {
    found.newInHead.add(workload.name)
    found.warnings.push(`\`${workload.name}\`: base answers 404, so the workload is new and not gated.`)
  }
  return isMissing
}
