/** Why a run failed: log, response and memory of an arm, collected while its server still exists. */
import type { Cell } from '../config/experiment.ts'
import { requestOf } from '../config/identities.ts'
import type { Server, Usage } from '../engines/engine.ts'
import { messageOf } from '../system/errors.ts'
import { ask } from '../system/http.ts'
import { atRest } from '../system/tail.ts'

export interface Failure {
  /** What could not be done, or what happened to the server; absent where requests failed and no more is known. */
  message?: string | undefined
  /** The end of the server's log. */
  logTail: string
  /** As much of the log as is kept. */
  log: string
  /** An answer that is not what the workload expects; absent if the server answered well again. */
  answer?: FailingAnswer | undefined
  /** The most that the arm was seen to hold, in MiB; null if it was not looked at. */
  memoryMib: number | null
}

export interface FailingAnswer {
  /** Null where no answer came: the body then says why. */
  status: number | null
  /** Its beginning. */
  body: string
}

/** Characters of a body that are shown. */
const BODY_SHOWN = 300
/** How long a server that failed is asked for a failing answer. */
const ASKING_MS = 1000
const ANSWER_LIMIT_MS = 5000

/** @param server undefined if there never was one */
export async function failureOf(
  server: Server | undefined,
  cell: Cell,
  memory: readonly Usage[],
  message: string | undefined,
): Promise<Failure> {
  const kib = memory.map(({ memoryKib }) => memoryKib).filter((value) => value > 0)
  const memoryMib = kib.length ? Math.max(...kib) / 1024 : null
  if (!server) return { message, logTail: '', log: '', memoryMib }
  const answer = await failingAnswer(server.url, cell)
  return { message, logTail: await atRest(() => server.logTail()), log: await server.log(), answer, memoryMib }
}

/** hey keeps no bodies, so the server is asked again, with as many requests at a time as it failed under. */
async function failingAnswer(url: string, cell: Cell): Promise<FailingAnswer | undefined> {
  const deadline = Date.now() + ASKING_MS
  do {
    const answers = await Promise.all(Array.from({ length: cell.load.concurrency }, () => answerOf(url, cell)))
    const { status, contains } = cell.workload.expect
    const failing = answers.find((answer) => answer.status !== status || (contains !== undefined && !answer.body.includes(contains)))
    if (failing) return { status: failing.status, body: failing.body.slice(0, BODY_SHOWN) }
  } while (Date.now() < deadline)
  return undefined
}

async function answerOf(url: string, cell: Cell): Promise<FailingAnswer> {
  const { path, ...request } = requestOf(cell.workload)
  try {
    return await ask(url + path, { ...request, timeoutMs: ANSWER_LIMIT_MS })
  } catch (error) {
    return { status: null, body: messageOf(error) }
  }
}

/** What failed, in which arm and cell. */
export interface FailedRun {
  revision: string
  mode: string
  workload: string
  load: string
  /** By kind, as in RunNote. */
  errors: Record<string, number>
  failure: Failure
}

/** Everything that is known of it, for a message. Pure. */
export function describeFailure({ revision, mode, workload, load, errors, failure }: FailedRun): string {
  const { message, logTail, answer, memoryMib } = failure
  const parts = [
    `${revision}/${mode}, ${workload}/${load}: ${kindsOf([errors])}.`,
    message && `${message}${/[.!?]$/.test(message) ? '' : '.'}`,
    memoryMib !== null && `It held up to ${memoryMib.toFixed(0)} MiB.`,
    answer && sentenceOf(answer),
  ]
  return `${parts.filter(Boolean).join(' ')}${logTail ? `\nThe server's log ends with:\n${logTail}` : ''}`
}

function sentenceOf({ status, body }: FailingAnswer): string {
  return status === null
    ? `A repeated request got no response: ${body}.`
    : `A repeated request got status ${status}: ${JSON.stringify(body)}.`
}

/** The kinds of errors of some runs, in a line. Pure. */
export function kindsOf(errors: readonly Record<string, number>[]): string {
  return [...new Set(errors.flatMap((kinds) => Object.keys(kinds)))].join(', ') || 'no answer inside the window'
}

/** One for each arm: the first whose server has logged something, else the first. Pure. */
export function shownFailures(runs: readonly (Omit<FailedRun, 'failure'> & { failure?: Failure | undefined })[]): FailedRun[] {
  const failed = runs.filter((run): run is FailedRun => run.failure !== undefined)
  const arms = [...new Set(failed.map(armOf))]
  return arms.map((arm) => {
    const ofArm = failed.filter((run) => armOf(run) === arm)
    return ofArm.find((run) => run.failure.logTail !== '') ?? (ofArm[0] as FailedRun)
  })
}

function armOf({ revision, mode }: Pick<FailedRun, 'revision' | 'mode'>): string {
  return `${revision}/${mode}`
}
