/** Checks whether an arm answers correctly under load: with distinct identities at once, and right after a start. */

import type { Arm } from '../config/experiment.ts'
import { hasIdentities, identitiesOf, requestOf } from '../config/identities.ts'
import type { Workload } from '../config/workload.ts'
import type { Server } from '../engines/engine.ts'
import { MeasurementError } from '../system/errors.ts'
import { difference, placeOf, rightAnswer } from './answers.ts'
import { masked } from './mask.ts'
import { maskLine, suggestedMask } from './suggest-mask.ts'

/** Requests per connection at full concurrency. */
const ROUNDS = 3

/**
 * Masked answers to one request at a time, by identity: the measured one and, if there are others, as many as `concurrency`.
 *
 * @throws MeasurementError if the answer to the same request differs the second time
 */
export async function answersAlone(server: Server, arm: Arm, workload: Workload, concurrency: number): Promise<Map<string, string>> {
  const place = placeOf(arm, workload)
  const ids = identitiesOf(workload, concurrency)
  const first = ids[0] as string
  const bodyOf = bodies(server, workload, place)
  const answer = await bodyOf(first)
  refuseUnsteady(arm, `${place}: ${said(workload, first)}`, answer, await bodyOf(first))
  const alone = new Map([[first, answer]])
  // If all requests have one identity, one answer is enough.
  for (const id of hasIdentities(workload) ? new Set(ids.slice(1)) : []) if (!alone.has(id)) alone.set(id, await bodyOf(id))
  return alone
}

/**
 * Compares every body at the highest concurrency, with distinct identities, because shared state sends one user another's data.
 *
 * @param alone the expected bodies by identity
 */
export async function checkConcurrency(
  server: Server,
  arm: Arm,
  workload: Workload,
  concurrency: number,
  alone: ReadonlyMap<string, string>,
): Promise<void> {
  const place = `${placeOf(arm, workload)}, ${concurrency} requests at a time`
  const bodyOf = bodies(server, workload, place)
  const ids = [...alone.keys()]
  await Promise.all(
    Array.from({ length: concurrency }, async (_, i) => {
      const id = ids[i % ids.length] as string
      for (let round = 0; round < ROUNDS; round++) {
        const body = await bodyOf(id)
        if (body === alone.get(id)) continue
        throw new MeasurementError(
          `${place}: ${said(workload, id)}: the answer${hasIdentities(workload) ? ` for id ${id}` : ''} differs from the one to a single request. ${difference(alone.get(id) as string, body)} Do requests share state? If the difference is allowed, add it to the workload's mask.`,
        )
      }
    }),
  )
}

function bodies(server: Server, workload: Workload, place: string): (id: string) => Promise<string> {
  return async (id) => masked((await rightAnswer(server, workload, place, id)).body, workload.mask)
}

function said(workload: Workload, id: string): string {
  const { method, path } = requestOf(workload, id)
  return `${method} ${path}`
}

/** Differences without concurrency come from random numbers, dates or counters. They are refused before shared state is looked for. */
function refuseUnsteady({ mode }: Arm, place: string, first: string, second: string): void {
  if (first === second) return
  const keepsApp = mode.via === 'command' || mode.runtime.stateful
  const cause = keepsApp ? ' Does the app keep state between requests?' : ''
  const mask = maskLine(suggestedMask(first, second))
  throw new MeasurementError(
    `${place}: two consecutive requests get different responses. ${difference(first, second)}${cause} If the difference is allowed, add it to the workload's mask${mask ? `: ${mask}` : '.'}`,
  )
}

/** Checks that none of a server's first requests fails. */
export async function checkColdStart(server: Server, arm: Arm, workload: Workload, concurrency: number): Promise<void> {
  const place = `${placeOf(arm, workload)}, cold start under load`
  await Promise.all(Array.from({ length: concurrency }, () => rightAnswer(server, workload, place)))
}
