/** Explains a regression of the instruction counts: one further count of the worst cells by function. It is not part of the verdict. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cell, Mode } from '../config/experiment.ts'
import { type CountOptions, countedBy, type OneRequest, requestsFor } from '../measure/instructions/count-arm.ts'
import { cellName } from '../plan/blocks.ts'
import type { PlannedJob } from '../plan/plan-job.ts'
import { Cancelled, messageOf } from '../system/errors.ts'
import type { Job } from '../system/job.ts'
import { costsIn } from './c-functions.ts'
import { type Judged, worst } from './explain.ts'
import { type CellCosts, INSTRUCTIONS_TITLE, instructionBlock, instructionSection } from './instruction-block.ts'
import { withSections } from './report-section.ts'

/** Later cells are not begun. Base and head of one cell take some 20 seconds, and more if head executes many times as much. */
const LONGEST_MS = 120_000

/**
 * Never fails a job that has a verdict.
 *
 * @param judged the cells of the metric `instructions`
 * @returns a block of the summary, or undefined if there is nothing to explain
 */
export async function explainInstructions(planned: PlannedJob, judged: readonly Judged[], job: Job): Promise<string | undefined> {
  const { settled, inputs, engine, tools } = planned
  const mode = settled.modes[1]
  const cells = worst(judged, settled.gated)
  if (!mode || cells.length === 0) return undefined
  const options: CountOptions = { engine, counter: 'valgrind', hey: tools.hey }
  const end = Date.now() + LONGEST_MS
  const why = (await engine.counters()).includes('valgrind') ? undefined : 'Valgrind is not installed'
  const counted: CellCosts[] = []
  for (const cell of cells) {
    if (Date.now() > end) {
      counted.push({ cell: cellName(cell), mode: mode.name, counts: 'the time for it was over' })
      continue
    }
    job.say(`instructions by function: ${cellName(cell)} on ${mode.name}, base and head`)
    counted.push({ cell: cellName(cell), mode: mode.name, counts: why ?? (await countsOf(cell, mode, options, job)) })
  }
  const report = join(inputs.out, 'report.html')
  const sections = counted.map(instructionSection)
  if (existsSync(report)) writeFileSync(report, withSections(readFileSync(report, 'utf8'), sections, INSTRUCTIONS_TITLE))
  return instructionBlock(counted)
}

async function countsOf(cell: Cell, mode: Mode, options: CountOptions, { signal }: Job): Promise<CellCosts['counts']> {
  // Head gets as many requests as base, so that the cost of a connection weighs the same.
  let requests: number | undefined
  const once = (each: OneRequest): number => {
    requests ??= requestsFor(each)
    return requests
  }
  try {
    const found = []
    for (const revision of ['base', 'head'] as const) {
      signal.throwIfAborted()
      await options.engine.restore(revision)
      const { requests: asked, done } = await countedBy({ revision, mode }, cell, once, options, (server, command) =>
        server.countFunctionsWhile(command),
      )
      found.push({ requests: asked, costs: costsIn(done.dumps) })
    }
    const [base, head] = found as [(typeof found)[0], (typeof found)[0]]
    return { base, head }
  } catch (error) {
    if (signal.aborted) throw new Cancelled('The count was cancelled.')
    return messageOf(error).split('\n')[0] as string
  }
}
