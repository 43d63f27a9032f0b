/** Collects why a run failed, while its server still exists: log, response and memory of the arm. */
import type { Cell } from '../config/experiment.ts'
import { requestOf } from '../config/identities.ts'
import type { Server, Usage } from '../engines/engine.ts'
import { messageOf } from '../system/errors.ts'
import { ask } from '../system/http.ts'
import { atRest } from '../system/tail.ts'

export interface Failure {
  /** The failed step, or what happened to the server. Absent if requests failed without a known reason. */
  message?: string | undefined
  /** The end of the server's log. */
  logTail: string
  /** As much of the log as is kept. */
  log: string
  /** An unexpected answer. Absent if the server answered correctly again. */
  answer?: FailingAnswer | undefined
  /** The highest observed memory of the arm, in MiB; null if it was not read. */
  memoryMib: number | null
}

export interface FailingAnswer {
  /** Null if no answer came. Then `body` has the reason. */
  status: number | null
  /** The beginning of the body. */
  body: string
}

/** The number of characters of a body that are shown. */
const BODY_SHOWN = 300
/** How long a server that failed is asked again for a failing answer. */
const ASKING_MS = 1000
const ANSWER_LIMIT_MS = 5000

/** @param server undefined if it never existed */
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

/** hey keeps no bodies, so the server is asked again, with the concurrency under which it failed. */
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

/** A failed run, with its arm and cell. */
export interface FailedRun {
  revision: string
  mode: string
  workload: string
  load: string
  /** By kind, as in RunNote. */
  errors: Record<string, number>
  failure: Failure
}

/** Every known fact about the failure, for a message. Pure. */
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

/** The kinds of errors of some runs, on one line. Pure. */
export function kindsOf(errors: readonly Record<string, number>[]): string {
  return [...new Set(errors.flatMap((kinds) => Object.keys(kinds)))].join(', ') || 'no answer inside the window'
}

/** One failure per arm: the first with a log, else the first. Pure. */
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
