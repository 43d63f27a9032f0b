/** Counts the instructions of every gated cell. Each repetition starts every arm afresh, in balanced order. */
import type { Arm, Cell, Mode } from '../../config/experiment.ts'
import { armOrder } from '../../plan/arm-order.ts'
import { cellName } from '../../plan/blocks.ts'
import { areCountedTogether, type Counting } from '../../plan/counting.ts'
import { randomFrom, shuffled } from '../../plan/random.ts'
import { Cancelled, messageOf } from '../../system/errors.ts'
import { allOf } from '../../system/settle-all.ts'
import { type CountOptions, connectionsOf, countArm, type OneRequest, requestsFor } from './count-arm.ts'
import type { Count } from './counts.ts'

export interface CountRequest extends Counting {
  job: string
  seed: number
  cells: readonly Cell[]
  modes: readonly Mode[]
}

export interface CountOptionsOfJob extends Omit<CountOptions, 'counter'> {
  signal: AbortSignal
  say: (line: string) => void
}

export interface Counts {
  counts: Count[]
  /** Sentences about arms that could not be counted. */
  failures: string[]
}

/** An arm that cannot be counted ends the counting of its cell. The failures name it. */
export async function count(request: CountRequest, options: CountOptionsOfJob): Promise<Counts> {
  const { cells, modes, repetitions, seed } = request
  // A separate sequence, so that a seed's blocks do not change.
  const random = randomFrom(seed + 1)
  const counts: Count[] = []
  const failures: string[] = []
  const failed = new Set<Cell>()
  const requests = new Map<string, number>()
  for (let repetition = 1; repetition <= repetitions; repetition++) {
    for (const cell of shuffled(cells, random)) {
      const arms = armOrder(modes, true, random)
      if (failed.has(cell)) continue
      const quad = await countQuad(arms, cell, requests, request, options)
      quad.forEach((counted, i) => {
        const arm = arms[i] as Arm
        if (counted instanceof Error) {
          failed.add(cell)
          failures.push(`${cellName(cell)}: the instructions of ${arm.revision} ${arm.mode.name} could not be counted: ${counted.message}`)
        } else counts.push({ ...counted, repetition, position: i + 1 })
      })
      options.say(`instructions: repetition ${repetition} of ${repetitions}, ${cellName(cell)}`)
    }
  }
  for (const failure of failures) options.say(failure)
  return { counts, failures }
}

type CountOfArm = Omit<Count, 'repetition' | 'position'>

/** @returns the counts in the order of the arms */
async function countQuad(
  arms: readonly Arm[],
  cell: Cell,
  requests: Map<string, number>,
  { job, counter, modes }: CountRequest,
  options: CountOptionsOfJob,
): Promise<(CountOfArm | Error)[]> {
  const one = async (arm: Arm): Promise<CountOfArm | Error> => {
    options.signal.throwIfAborted()
    const key = `${cellName(cell)} ${arm.mode.name}`
    // Head gets as many requests as base, so that the cost of a connection weighs the same.
    const once = (each: OneRequest): number => {
      if (!requests.has(key)) requests.set(key, requestsFor(each))
      return requests.get(key) as number
    }
    try {
      const counted = await countArm(arm, cell, once, { ...options, counter })
      return {
        job,
        workload: cell.workload.name,
        load: cell.load.name,
        concurrency: connectionsOf(arm, cell),
        revision: arm.revision,
        mode: arm.mode.name,
        ...counted,
        instructions_per_request: counted.instructions / counted.requests,
        tool: counter,
      }
    } catch (error) {
      if (options.signal.aborted) throw new Cancelled('The measurement was cancelled.')
      await options.engine.assertAlive()
      return new Error(messageOf(error))
    }
  }
  const restored = async (of: readonly Arm[]): Promise<void> => {
    for (const revision of new Set(of.map(({ revision }) => revision))) await options.engine.restore(revision)
  }
  if (areCountedTogether(modes, cell)) {
    await restored(arms)
    return allOf(arms.map(one))
  }
  const results: (CountOfArm | Error)[] = []
  for (const arm of arms) {
    await restored([arm])
    results.push(await one(arm))
  }
  return results
}
