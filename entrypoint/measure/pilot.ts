/** The pilot: a short run of each cell in each mode of head. It shows how long a request takes and which cells fail. */

import type { Arm, Cell, Mode } from '../config/experiment.ts'
import { intervalOf } from '../config/load-rate.ts'
import { cellName } from '../plan/blocks.ts'
import { atRate, type PilotResult } from '../plan/timing.ts'
import { MeasurementError } from '../system/errors.ts'
import { describeFailure } from './failure.ts'
import { measureTogether, type RunOptions } from './run.ts'
import { failedWholly, type RunResult, ran } from './run-result.ts'
import { inBrief, keyOf, tooBusy } from './sidecar-use.ts'

const PILOT = { warmupS: 0.5, windowS: 1, slices: 1, guardS: 0 }

const UNANSWERED = `no answer within ${PILOT.warmupS + PILOT.windowS} s`

/** A run that fails completely is repeated until this many have failed. */
const TRIES = 2

export interface PilotOptions extends RunOptions {
  say: (line: string) => void
  /** Whether base has the cell, too. */
  isInBase: (cell: Cell) => boolean
}

export interface Piloted {
  /** Results of the slowest mode, by `workload/load`. */
  results: Map<string, PilotResult>
  /** Cells that base can serve and head cannot. The measurement shows them; a plan alone reports them as an error. */
  fallen: string[]
}

/** @throws MeasurementError for a cell that neither head nor base can serve */
export async function pilot(cells: Cell[], modes: Mode[], options: PilotOptions): Promise<Piloted> {
  const piloted: Piloted = { results: new Map(), fallen: [] }
  for (const cell of cells) {
    for (const mode of modes) {
      const { line, sidecars } = await serving(cell, mode, options, piloted.fallen)
      const goodput = line.goodput_rps
      const busy = tooBusy(`${cellName(cell)} on ${mode.name}`, sidecars)
      if (busy.length > 0) throw new MeasurementError(`${keyOf(sidecars)}: ${busy.join(' ')}`)
      const latencyS = latencyOf(line, cell)
      const before = piloted.results.get(cellName(cell))
      if (!before || latencyS > before.latencyS) piloted.results.set(cellName(cell), { latencyS, goodput })
      const seen = goodput > 0 ? `${goodput.toFixed(1)}/s, ${(latencyS * 1000).toFixed(0)} ms` : UNANSWERED
      options.say(`pilot: ${cellName(cell)} ${mode.name}: ${seen}${inBrief(sidecars)}`)
    }
  }
  return piloted
}

/** In seconds. Without an answer the cell is slower than the pilot. */
function latencyOf({ goodput_rps: goodput, p50_ms: p50 }: RunResult['line'], { load }: Cell): number {
  if (goodput === 0) return PILOT.windowS + PILOT.warmupS
  // In a closed loop the mean latency follows from the rate (Little's law).
  return load.rate === undefined || p50 === null ? load.concurrency / goodput : p50 / 1000
}

/** Head's run, or base's if head alone has failed repeatedly. */
async function serving(cell: Cell, mode: Mode, options: PilotOptions, fallen: string[]): Promise<RunResult> {
  const head = await tried({ revision: 'head', mode }, cell, options)
  if (!failedWholly(head)) return head
  const place = `The pilot: ${mode.name} of head cannot serve ${cellName(cell)}`
  const cause = describe({ revision: 'head', mode }, cell, head)
  if (!options.isInBase(cell)) throw new MeasurementError(`${place}: ${TRIES} of ${TRIES} runs failed completely.\n${cause}`)
  const base = await tried({ revision: 'base', mode }, cell, options)
  if (failedWholly(base)) {
    throw new MeasurementError(
      `${place}, and base cannot either: ${TRIES} of ${TRIES} runs of each failed completely.\n${cause}\n${describe({ revision: 'base', mode }, cell, base)}`,
    )
  }
  const message = `${place}, and base can: ${TRIES} of ${TRIES} runs of head failed completely.\n${cause}`
  fallen.push(message)
  options.say(message)
  return base
}

/** The first run that served anything, else the last of TRIES runs. */
async function tried(arm: Arm, cell: Cell, options: PilotOptions): Promise<RunResult> {
  for (let tries = 1; ; tries++) {
    options.signal.throwIfAborted()
    const [result] = (await measureTogether([arm], cell, atRate(PILOT, intervalOf(cell.load)), options)) as [RunResult]
    if (!ran(result)) await options.engine.assertAlive()
    if (!failedWholly(result) || tries === TRIES) return result
  }
}

function describe({ revision, mode }: Arm, { workload, load }: Cell, { errors, failure }: RunResult): string {
  if (!failure) return ''
  return describeFailure({ revision, mode: mode.name, workload: workload.name, load: load.name, errors, failure })
}
