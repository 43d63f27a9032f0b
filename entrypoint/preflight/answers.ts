/** Checks whether a server's answer to a workload's request is the expected one. */

import type { Arm } from '../config/experiment.ts'
import { requestOf } from '../config/identities.ts'
import type { Workload } from '../config/workload.ts'
import type { Server } from '../engines/engine.ts'
import { AppFailure, MeasurementError, messageOf } from '../system/errors.ts'
import { type Answer, ask } from '../system/http.ts'
import { comparedHeaders, type Headers, headerDifference } from './headers.ts'
import { masked } from './mask.ts'

const LIMIT_MS = 30_000

/** The masked parts of an answer that are compared. */
export interface Compared {
  body: string
  headers: Headers
}

interface Reference extends Compared {
  arm: Arm
  /** Bodies by requested identity. */
  alone: ReadonlyMap<string, string>
}

/** Answers of earlier arms, by revision and workload. */
export type References = Map<string, Reference>

export function armName(arm: Arm): string {
  return `${arm.revision}/${arm.mode.name}`
}

/** The arm and the workload, for messages. */
export function placeOf(arm: Arm, workload: Workload): string {
  return `${armName(arm)}, workload ${workload.name}`
}

/** Any answer. @param id defaults to the identity that is measured @throws AppFailure if there is none */
export async function answerOf(server: Server, workload: Workload, place: string, id?: string): Promise<Answer> {
  const { path, ...request } = requestOf(workload, id)
  try {
    return await ask(server.url + path, { ...request, timeoutMs: LIMIT_MS })
  } catch (error) {
    throw new AppFailure(
      `${place}: ${request.method} ${path}: expected an answer with status ${workload.expect.status}, but: ${messageOf(error)}`,
      workload.name,
    )
  }
}

/** @throws AppFailure unless the answer meets the workload's expectations */
export async function rightAnswer(server: Server, workload: Workload, place: string, id?: string): Promise<Answer> {
  const answer = await answerOf(server, workload, place, id)
  const { expect } = workload
  const { method, path } = requestOf(workload, id)
  const excerpt = JSON.stringify(answer.body.slice(0, 200))
  if (answer.status !== expect.status) {
    throw new AppFailure(
      `${place}: ${method} ${path}: expected status ${expect.status}, got ${answer.status} with ${excerpt}`,
      workload.name,
    )
  }
  if (expect.contains !== undefined && !answer.body.includes(expect.contains)) {
    throw new AppFailure(
      `${place}: ${method} ${path}: expected a body with ${JSON.stringify(expect.contains)}, got ${excerpt}`,
      workload.name,
    )
  }
  return answer
}

/** The answer to one request. Its status, text and encoding are checked. */
export async function referenceOf(server: Server, arm: Arm, workload: Workload): Promise<Compared> {
  const place = placeOf(arm, workload)
  const answer = await rightAnswer(server, workload, place)
  const encoding = answer.headers['content-encoding']
  if (encoding) {
    throw new MeasurementError(
      `${place}: the response has Content-Encoding: ${encoding}, but the request accepts none. Compression would count in one mode only; turn it off.`,
    )
  }
  return { body: masked(answer.body, workload.mask), headers: comparedHeaders(answer, server.url, workload.mask) }
}

/**
 * Refuses different answers of one revision's modes. Between revisions a different answer is only reported, because a pull request may
 * change it.
 *
 * @returns a warning
 */
export function compare(
  references: References,
  arm: Arm,
  workload: Workload,
  found: Compared,
  alone: ReadonlyMap<string, string>,
): string | undefined {
  const key = `${arm.revision} ${workload.name}`
  const first = references.get(key)
  references.set(key, first ?? { ...found, arm, alone })
  if (first) refuseDifferent(first, arm, workload, found, alone)
  const base = references.get(`base ${workload.name}`)
  if (first || arm.revision === 'base' || !base) return undefined
  return base.body === found.body && !headerDifference(base.headers, found.headers)
    ? undefined
    : `\`${workload.name}\`: head's response differs from base's; the comparison includes the cost of that.`
}

function refuseDifferent(expected: Reference, arm: Arm, workload: Workload, found: Compared, alone: ReadonlyMap<string, string>): void {
  const { method, path } = requestOf(workload)
  const place = `${placeOf(arm, workload)}: ${method}`
  const headers = headerDifference(expected.headers, found.headers)
  const refuse = (message: string): never => {
    throw new AppFailure(message, workload.name, '', 'answers differently in its modes')
  }
  if (headers) refuse(`${place} ${path}: the headers differ from those of ${armName(expected.arm)}: ${headers}`)
  for (const [id, body] of alone) {
    const reference = expected.alone.get(id)
    if (reference === undefined || reference === body) continue
    refuse(
      `${place} ${requestOf(workload, id).path}: answers differently from ${armName(expected.arm)}. ${difference(reference, body)} If the difference is allowed, add it to the workload's mask.`,
    )
  }
}

/** Describes where two texts first differ, with a few characters of each. */
export function difference(expected: string, found: string): string {
  let i = 0
  while (i < expected.length && expected[i] === found[i]) i++
  const around = (text: string): string => JSON.stringify(text.slice(Math.max(0, i - 20), i + 60))
  return `At character ${i + 1}: expected ${around(expected)}, got ${around(found)}.`
}
