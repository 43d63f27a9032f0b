/** Runs an arm once under the profiler. The run does not count. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Arm, type Cell, workloadFor } from '../config/experiment.ts'
import type { Engine } from '../engines/engine.ts'
import { heyArguments, startHey } from '../measure/hey.ts'
import { type Profile, profileOf } from './samples.ts'

const SECONDS = 4
/** The path at which our servers report profiles: php/src/Server/Instance.php. */
const PATH = '/_bench/profile'

export interface ProfileOptions {
  engine: Engine
  /** The path of the program. */
  hey: string
  signal: AbortSignal
}

/** @returns a sentence if there is no profile */
export async function profileArm(arm: Arm, cell: Cell, { engine, hey, signal }: ProfileOptions): Promise<Profile | string> {
  await engine.restore(arm.revision)
  const ofArm = { workload: workloadFor(cell, arm.revision), load: cell.load }
  const server = await engine.start(arm, 'profile')
  try {
    const load = startHey(hey, heyArguments(server.url, ofArm, SECONDS), engine.loadCpus, signal)
    const { statuses } = await load.output
    // A worker may still process the last requests.
    await sleep(100, undefined, { signal })
    const requests = statuses.filter((status) => status === ofArm.workload.expect.status).length
    return profileOf(await server.eachWorker(PATH), requests)
  } finally {
    await server.stop()
  }
}
