/** Whether an arm answers right under load: distinct identities at once, and the full load on a server that has just started. */

import type { Workload } from '../config/catalog.ts'
import type { Arm } from '../config/experiment.ts'
import { hasIdentities, identitiesOf, requestOf } from '../config/identities.ts'
import type { Server } from '../engines/engine.ts'
import { MeasurementError } from '../system/errors.ts'
import { difference, placeOf, rightAnswer } from './answers.ts'
import { masked } from './mask.ts'

/** Requests per connection at full concurrency. */
const ROUNDS = 3

/** At the highest concurrency, with distinct identities, every body is compared: shared state answers with another user's data. */
export async function checkConcurrency(server: Server, arm: Arm, workload: Workload, concurrency: number): Promise<void> {
  const place = `${placeOf(arm, workload)}, ${concurrency} requests at a time`
  const isDistinct = hasIdentities(workload)
  const ids = identitiesOf(workload, concurrency)
  const bodyOf = async (id: string): Promise<string> => masked((await rightAnswer(server, workload, place, id)).body, workload.mask)
  const expected = new Map<string, string>()
  // Of one that is asked for by all, one answer will do.
  for (const id of isDistinct ? new Set(ids) : [ids[0] as string]) expected.set(id, await bodyOf(id))
  await Promise.all(
    ids.map(async (each) => {
      const id = isDistinct ? each : (ids[0] as string)
      for (let round = 0; round < ROUNDS; round++) {
        const body = await bodyOf(id)
        if (body === expected.get(id)) continue
        const { method, path } = requestOf(workload, id)
        throw new MeasurementError(
          `${place}: ${method} ${path}: the answer${isDistinct ? ` for id ${id}` : ''} differs from the one to a single request. ${difference(expected.get(id) as string, body)} Do requests share state? What may differ belongs in the workload's mask.`,
        )
      }
    }),
  )
}

/** None of the first requests of a server may fail. */
export async function checkColdStart(server: Server, arm: Arm, workload: Workload, concurrency: number): Promise<void> {
  const place = `${placeOf(arm, workload)}, cold start under load`
  await Promise.all(Array.from({ length: concurrency }, () => rightAnswer(server, workload, place)))
}
