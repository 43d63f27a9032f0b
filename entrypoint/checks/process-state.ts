/** State of a worker's process that outlives a request: php/src/Server/Held.php. */
import { z } from 'zod'
import type { Server } from '../engines/engine.ts'

const answer = z.object({ workers: z.array(z.record(z.string(), z.union([z.string(), z.number()]))).length(1) })

export type ProcessState = z.output<typeof answer>['workers'][number]

export async function stateOf(server: Server): Promise<ProcessState> {
  return answer.parse(await server.eachWorker('/_bench/state')).workers[0] as ProcessState
}

/** The number of names that are shown. Values may be anything. */
const MOST = 3

/** @returns the names of differing values, or undefined. Pure */
export function changedState(before: ProcessState, now: ProcessState): string | undefined {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => before[name] !== now[name])
  if (names.length === 0) return undefined
  return names.length > MOST ? `${names.slice(0, MOST).join(', ')} and ${names.length - MOST} more` : names.join(', ')
}
