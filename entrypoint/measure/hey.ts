/** Runs hey. Its arguments and its parsed output are pure. */
import type { Cell } from '../config/experiment.ts'
import { requestOf } from '../config/identities.ts'
import { intervalOf } from '../config/load-rate.ts'
import type { Workload } from '../config/workload.ts'
import { apart } from '../system/environment.ts'
import { MeasurementError } from '../system/errors.ts'
import { pinned } from '../system/machine.ts'
import { spawnPiped } from '../system/spawn.ts'

/** hey's output for a whole run. Index i of the three lists is one answered request. */
export interface HeyOutput {
  /** Seconds from hey's start to the first byte of the request. */
  offsetsS: number[]
  latenciesS: number[]
  statuses: number[]
  /** Transport errors and time-outs by kind. They have no time. */
  errors: Record<string, number>
}

/**
 * hey's undocumented template output. It has full precision, 28 bytes per request, and the errors even of a run that failed completely.
 * The error texts are in hex, because hey prints its output through a format function and `%` would break it.
 */
const TEMPLATE =
  '{"total":{{.Total.Nanoseconds}},"num":{{.NumRes}},"errors":"{{printf "%x" (jsonify .ErrorDist)}}","lats":{{jsonify .Lats}},"offsets":{{jsonify .Offsets}},"codes":{{jsonify .StatusCodes}}}'

/** Seconds after which hey gives up on a request, besides those in which it is held. */
export const TIMEOUT_S = 10
const COUNTED_TIMEOUT_S = 120

/**
 * hey's argument list.
 *
 * One CPU, because with more hey's own threads make FPM's rate bimodal. No compression and no redirects, because the requested path is
 * measured as the app sends it.
 *
 * @param heldS the longest time for which it may be held: its clock goes on meanwhile
 */
export function heyArguments(url: string, { workload, load }: Cell, seconds: number, heldS = 0): string[] {
  const intervalS = intervalOf(load)
  const rate = intervalS === undefined ? [] : ['-q', String(1 / intervalS)]
  const timeoutS = Math.ceil(TIMEOUT_S + heldS)
  return asking(url, workload, ['-z', `${seconds}s`, '-c', String(load.concurrency), ...rate, '-t', String(timeoutS)])
}

/**
 * A fixed number of requests, without a tight time limit: a server whose instructions are counted takes fifty times as long.
 *
 * @param requests a multiple of the connections, because hey gives each the same number
 */
export function countedRequests(url: string, workload: Workload, requests: number, connections: number): string[] {
  return asking(url, workload, ['-n', String(requests), '-c', String(connections), '-t', String(COUNTED_TIMEOUT_S)])
}

function asking(url: string, workload: Workload, load: string[]): string[] {
  const { method, path, body, ...request } = requestOf(workload)
  const headers = Object.entries(request.headers)
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  return [
    ...load,
    '-cpus',
    '1',
    '-disable-compression',
    '-disable-redirects',
    '-o',
    TEMPLATE,
    ...(method === 'GET' ? [] : ['-m', method]),
    ...(type === undefined ? [] : ['-T', type]),
    ...headers.filter(([name]) => name.toLowerCase() !== 'content-type').flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    ...(body === undefined ? [] : ['-d', body]),
    url + path,
  ]
}

/** A started hey. */
export interface HeyProcess {
  /** The time of its start, in milliseconds of the wall clock. */
  startedAt: number
  output: Promise<HeyOutput>
  /** Stops further requests. Responses to those in flight arrive in its sockets. */
  hold(): void
  resume(): void
  /** Asks it to finish its requests and print before its time is over. */
  finish(): void
  kill(): void
}

/** @param signal kills hey; the output is then rejected */
export function startHey(hey: string, args: string[], cpuSet: string | undefined, signal: AbortSignal): HeyProcess {
  // hey ends with this process. If the job is killed, a held hey would otherwise remain for ever.
  const command = pinned(['setpriv', '--pdeathsig', 'KILL', hey, ...args], cpuSet)
  const startedAt = Date.now()
  // SIGKILL also ends a held hey.
  const child = spawnPiped(command, apart(), { signal })
  child.stdin.end()
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  const output = new Promise<HeyOutput>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      try {
        if (code !== 0) throw new MeasurementError(`hey ended with ${code}: ${Buffer.concat(err).toString().slice(0, 500)}`)
        resolve(parseHey(Buffer.concat(out).toString()))
      } catch (error) {
        reject(error)
      }
    })
  })
  // The caller awaits it later. Until then a rejection must not count as unhandled.
  output.catch(() => {})
  return {
    startedAt,
    output,
    hold: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    finish: () => child.kill('SIGINT'),
    kill: () => child.kill('SIGKILL'),
  }
}

/** @throws MeasurementError if the text is not our template's output */
export function parseHey(text: string): HeyOutput {
  let raw: { errors: string; lats: number[] | null; offsets: number[] | null; codes: number[] | null }
  let errors: Record<string, number> | null
  try {
    raw = JSON.parse(text)
    errors = JSON.parse(Buffer.from(raw.errors, 'hex').toString() || 'null')
  } catch {
    throw new MeasurementError(`hey printed something unexpected: ${text.slice(0, 200) || 'nothing'}`)
  }
  const output: HeyOutput = { offsetsS: raw.offsets ?? [], latenciesS: raw.lats ?? [], statuses: raw.codes ?? [], errors: {} }
  if (output.offsetsS.length !== output.latenciesS.length || output.offsetsS.length !== output.statuses.length) {
    throw new MeasurementError('hey printed lists of different lengths')
  }
  for (const [message, count] of Object.entries(errors ?? {})) {
    const kind = errorKind(message)
    output.errors[kind] = (output.errors[kind] ?? 0) + count
  }
  return output
}

/** Error texts contain ephemeral ports, so each would be its own kind. */
export function errorKind(message: string): string {
  const kinds: [RegExp, string][] = [
    [/Client\.Timeout|deadline exceeded|i\/o timeout/i, 'timeout'],
    [/connection refused/i, 'refused'],
    [/connection reset|broken pipe/i, 'reset'],
    [/EOF/, 'closed'],
    [/too many open files/i, 'too-many-files'],
    [/malformed|invalid/i, 'malformed'],
  ]
  return kinds.find(([pattern]) => pattern.test(message))?.[1] ?? 'other'
}
