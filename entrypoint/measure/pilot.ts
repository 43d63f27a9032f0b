/** A short run of each cell in each mode of head, for the plan: how long one request takes. */

import type { Cell, Mode } from '../config/experiment.ts'
import { cellName, type PilotResult } from '../plan/plan.ts'
import { measureTogether, type RunOptions } from './run.ts'

const PILOT = { warmupS: 0.5, windowS: 1, slices: 1, guardS: 0 }

/** @returns by `workload/load`, the slowest mode's */
export async function pilot(
  cells: Cell[],
  modes: Mode[],
  options: RunOptions & { say: (line: string) => void },
): Promise<Map<string, PilotResult>> {
  const results = new Map<string, PilotResult>()
  for (const cell of cells) {
    for (const mode of modes) {
      options.signal.throwIfAborted()
      const [result] = await measureTogether([{ revision: 'head', mode }], cell, PILOT, options)
      if (!result || result instanceof Error) throw result
      const { facts } = result
      // In a closed loop the mean latency follows from the rate (Little's law). Nothing answered: slower than the pilot.
      const latencyS = facts.goodput_rps > 0 ? cell.load.concurrency / facts.goodput_rps : PILOT.windowS + PILOT.warmupS
      const before = results.get(cellName(cell))
      if (!before || latencyS > before.latencyS) results.set(cellName(cell), { latencyS, goodput: facts.goodput_rps })
      options.say(`pilot: ${cellName(cell)} ${mode.name}: ${facts.goodput_rps.toFixed(1)}/s, ${(latencyS * 1000).toFixed(0)} ms`)
    }
  }
  return results
}
