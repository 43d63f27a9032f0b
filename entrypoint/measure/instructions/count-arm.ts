/** One count: starts a server of an arm, warms it up, and counts the instructions of a number of requests. */
import { type Arm, type Cell, workloadFor } from '../../config/experiment.ts'
import type { CountedCommand, CountedServer, Counter, Engine } from '../../engines/engine.ts'
import { apart } from '../../system/environment.ts'
import { MeasurementError } from '../../system/errors.ts'
import { exec } from '../../system/exec.ts'
import { pinned } from '../../system/machine.ts'
import { lastLine } from '../../system/tail.ts'
import { countedRequests, parseHey } from '../hey.ts'

/** Uncounted requests. The first ones compile, load classes and fill caches. */
const WARM_UP = 10
/** More of them per connection, so that every app instance of a pool answers. */
const WARM_UP_EACH = 2
/** The requests of a short count, which determines the number of requests. They run twice: code runs slowly at first when Valgrind begins to count. */
const TRIAL = 4
/** The instructions of one count. Valgrind executes some 130 million per second. */
const TARGET = 200e6
/** The longest count in seconds, because an app may wait for long in each request. */
const LONGEST_S = 60
const FEWEST_REQUESTS = 8
/** A warm-up that takes longer is stuck. */
const WARM_UP_LIMIT_MS = 300_000
const MOST_REQUESTS = 400

export interface CountOptions {
  engine: Engine
  counter: Counter
  /** The path of the program. */
  hey: string
}

/** What a request took in the short count. */
export interface OneRequest {
  instructions: number
  /** From its share of the whole count, so with all connections. */
  seconds: number
}

export interface Counted {
  requests: number
  instructions: number
}

/** Several connections for a runtime that serves several requests at once. Others get one, because their requests never share a process. */
export function connectionsOf({ mode }: Arm, { load }: Cell): number {
  return mode.via === 'runtime' && mode.runtime.concurrent ? load.concurrency : 1
}

/**
 * @param requestsOf returns the number of requests, given what one took; it is called once
 * @throws MeasurementError if a request fails, or nothing is counted
 */
export async function countArm(arm: Arm, cell: Cell, requestsOf: (each: OneRequest) => number, options: CountOptions): Promise<Counted> {
  const { requests, done } = await countedBy(arm, cell, requestsOf, options, (server, command) => server.countWhile(command))
  return { requests, instructions: done.instructions }
}

/**
 * Starts an arm, warms it up and runs the requests to count.
 *
 * @param count counts while a command runs
 * @throws MeasurementError as countArm()
 */
export async function countedBy<T extends CountedCommand>(
  arm: Arm,
  cell: Cell,
  requestsOf: (each: OneRequest) => number,
  { engine, counter, hey }: CountOptions,
  count: (server: CountedServer, command: string[]) => Promise<T>,
): Promise<{ requests: number; done: T }> {
  const workload = workloadFor(cell, arm.revision)
  const connections = connectionsOf(arm, cell)
  const server = await engine.startCounted(arm, counter)
  const ask = async <C extends CountedCommand>(
    wanted: number,
    by: (server: CountedServer, command: string[]) => Promise<C>,
  ): Promise<{ requests: number; done: C }> => {
    const requests = rounded(wanted, connections)
    const done = await by(server, pinned([hey, ...countedRequests(server.url, workload, requests, connections)], engine.loadCpus))
    refuseFailures(done, requests, workload.expect.status)
    return { requests, done }
  }
  const whole = (of: CountedServer, command: string[]): Promise<CountedCommand> => of.countWhile(command)
  try {
    await ask(Math.max(WARM_UP, WARM_UP_EACH * connections), uncounted)
    await ask(TRIAL, whole)
    const begun = Date.now()
    const { requests, done } = await ask(TRIAL, whole)
    const each = { instructions: done.instructions / requests, seconds: (Date.now() - begun) / 1000 / requests }
    const counted = await ask(requestsOf(each), count)
    const lost = await server.lost()
    if (lost) throw new MeasurementError(lost)
    return counted
  } finally {
    await server.stop()
  }
}

async function uncounted(_: CountedServer, command: string[]): Promise<CountedCommand> {
  return { ...(await exec(command, { ...apart(), timeoutMs: WARM_UP_LIMIT_MS })), instructions: 0 }
}

/** The number of requests that fill a count, or that end in time. Pure. */
export function requestsFor({ instructions, seconds }: OneRequest): number {
  return Math.max(FEWEST_REQUESTS, Math.min(MOST_REQUESTS, Math.round(TARGET / instructions), Math.floor(LONGEST_S / seconds)))
}

/** hey gives each connection the same number of requests. */
function rounded(requests: number, connections: number): number {
  return Math.ceil(requests / connections) * connections
}

function refuseFailures(done: CountedCommand, requests: number, status: number): void {
  if (done.code !== 0) throw new MeasurementError(`hey ended with ${done.code}: ${lastLine(done.stderr)}`)
  const { statuses } = parseHey(done.stdout)
  const succeeded = statuses.filter((found) => found === status).length
  if (succeeded !== requests)
    throw new MeasurementError(`${requests - succeeded} of ${requests} requests failed while instructions were counted`)
}
