/** Counts the statements of one request on the database server. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Arm } from '../config/experiment.ts'
import type { Workload } from '../config/workload.ts'
import type { Engine, Server } from '../engines/engine.ts'
import { MeasurementError } from '../system/errors.ts'
import { placeOf, rightAnswer } from './answers.ts'

/** Statements of one request, by lower-case verb. Unused verbs are left out. */
export type Statements = Record<string, number>

/** Counters that do not change for this long are at rest. Apps may work after they have answered. */
const REST_MS = 40
/** The most readings. Counters never rest if somebody else uses the server. */
const LOOKS = 10

/**
 * One request per workload, one after the other. The counters at rest after one request are those before the next.
 *
 * @param server a warm server, with open connections and filled caches
 * @param meanwhile work without database access, done while the counters come to rest
 * @returns statements by workload
 * @throws MeasurementError if a built-in workload makes other statements than it declares
 */
export async function statementsOf(
  server: Server,
  arm: Arm,
  workloads: readonly Workload[],
  engine: Engine,
  meanwhile: () => Promise<void>,
): Promise<Record<string, Statements>> {
  const counted: Record<string, Statements> = {}
  let before = await countsAtRest(engine, meanwhile)
  for (const workload of workloads) {
    const place = placeOf(arm, workload)
    await rightAnswer(server, workload, place)
    const after = await countsAtRest(engine)
    const made = difference(before, after)
    refuseOthers(place, workload, made)
    counted[workload.name] = made
    before = after
  }
  return counted
}

function difference(before: Record<string, number>, after: Record<string, number>): Statements {
  return Object.fromEntries(
    Object.entries(after)
      .map(([verb, count]): [string, number] => [verb, count - (before[verb] ?? 0)])
      .filter(([, count]) => count > 0),
  )
}

function refuseOthers(place: string, { builtIn }: Workload, made: Statements): void {
  for (const [verb, expected] of Object.entries(builtIn?.statements ?? {})) {
    if ((made[verb] ?? 0) !== expected)
      throw new MeasurementError(
        `${place}: one request made ${made[verb] ?? 0} ${verb.toUpperCase()} statements, expected ${expected}. Is somebody else using this database server?`,
      )
  }
}

async function countsAtRest(engine: Engine, meanwhile?: () => Promise<void>): Promise<Record<string, number>> {
  let counts = await engine.statementCounts()
  for (let look = 1; look < LOOKS; look++) {
    await Promise.all([sleep(REST_MS), look === 1 ? meanwhile?.() : undefined])
    const later = await engine.statementCounts()
    if (JSON.stringify(later) === JSON.stringify(counts)) break
    counts = later
  }
  return counts
}
