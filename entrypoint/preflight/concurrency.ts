/** Whether an arm answers correctly under load: distinct identities at once, and full load on a server that has just started. */

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
 * Answers to one request at a time, masked, by identity: the one that is measured and, if there are others, as many as `concurrency`.
 *
 * @throws MeasurementError if the same request is answered differently the second time
 */
export async function answersAlone(server: Server, arm: Arm, workload: Workload, concurrency: number): Promise<Map<string, string>> {
  const place = placeOf(arm, workload)
  const ids = identitiesOf(workload, concurrency)
  const first = ids[0] as string
  const bodyOf = bodies(server, workload, place)
  const answer = await bodyOf(first)
  refuseUnsteady(arm, `${place}: ${said(workload, first)}`, answer, await bodyOf(first))
  const alone = new Map([[first, answer]])
  // Of one that is asked for by all, one answer will do.
  for (const id of hasIdentities(workload) ? new Set(ids.slice(1)) : []) if (!alone.has(id)) alone.set(id, await bodyOf(id))
  return alone
}

/**
 * At the highest concurrency, with distinct identities, every body is compared: shared state answers with another user's data.
 *
 * @param alone by identity
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

/** What changes without any concurrency is random, dated or counted; shared state is looked for after that. */
function refuseUnsteady({ mode }: Arm, place: string, first: string, second: string): void {
  if (first === second) return
  const keepsApp = mode.via === 'command' || mode.runtime.stateful
  const cause = keepsApp ? ' Does the app keep state between requests?' : ''
  const mask = maskLine(suggestedMask(first, second))
  throw new MeasurementError(
    `${place}: two consecutive requests get different responses. ${difference(first, second)}${cause} If the difference is allowed, add it to the workload's mask${mask ? `: ${mask}` : '.'}`,
  )
}

/** None of the first requests of a server may fail. */
export async function checkColdStart(server: Server, arm: Arm, workload: Workload, concurrency: number): Promise<void> {
  const place = `${placeOf(arm, workload)}, cold start under load`
  await Promise.all(Array.from({ length: concurrency }, () => rightAnswer(server, workload, place)))
}
