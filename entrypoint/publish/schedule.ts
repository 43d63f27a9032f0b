/** Whether a stranger's data have the blocks that the configuration asks for, and which look at them it is. Pure. */
import type { Config } from '../config/schema.ts'
import { blocksAtMost, blocksWanted, FULL_BLOCKS, LOOKS_AT, type Look, quadsAtMost } from '../plan/plan.ts'
import { MeasurementError } from '../system/errors.ts'
import { type JobText, rowsOf } from './coverage.ts'

/** Below this many complete blocks nothing is gated (r/R/rule/decision.R). */
const MIN_BLOCKS = 6
const ONCE: Look = { looks: 1, look: 1 }

/** Gated cells by block, in order. */
function cellsByBlock({ samples, run }: JobText): { gated: string[]; blocks: Map<number, Set<string>> } {
  const redefined = new Set(run.ungated.flatMap(({ workload, why }) => (why === 'redefined' ? [workload] : [])))
  const rows = rowsOf(samples).filter(({ workload }) => !redefined.has(workload))
  const hasBase = rows.some(({ revision }) => revision === 'base')
  const cellOf = ({ workload, load }: { workload: string; load: string }): string => `${workload}/${load}`
  const gated = [...new Set(rows.filter(({ revision }) => !hasBase || revision === 'base').map(cellOf))].sort()
  const blocks = new Map<number, Set<string>>()
  for (const row of rows) {
    if (!gated.includes(cellOf(row))) continue
    const block = Number(row.block)
    blocks.set(block, (blocks.get(block) ?? new Set()).add(cellOf(row)))
  }
  return { gated, blocks: new Map([...blocks].sort(([a], [b]) => a - b)) }
}

/** Whether the configuration leaves the number of blocks to the measurement. */
function isLeftOpen(config: Config): boolean {
  return config.blocks === null && config.profile === 'full'
}

/**
 * Which look at the data it is, and of how many. The data's own word counts only where blocks and quads leave it open.
 *
 * Several jobs are judged once, and so is a fixed number of blocks. A job whose budget has no room to go on has ten.
 */
export function lookOf(jobs: readonly JobText[], config: Config): Look {
  const [first] = jobs
  if (!first || jobs.length > 1 || !isLeftOpen(config)) return ONCE
  const { gated, blocks } = cellsByBlock(first)
  const last = Math.max(0, ...blocks.keys())
  if (first.run.looks === 1 && last <= FULL_BLOCKS) return ONCE
  // No look comes before its quads are spent, or has fewer blocks than quads of a cell on average.
  const earliest = 1 + LOOKS_AT.findIndex((at) => quadsOf(blocks) <= at * gated.length)
  const latest = LOOKS_AT.filter((at) => at <= last).length
  return { looks: 4, look: Math.max(earliest, Math.min(first.run.look ?? 1, latest), 1) }
}

function quadsOf(blocks: ReadonlyMap<number, ReadonlySet<string>>): number {
  return [...blocks.values()].reduce((sum, cells) => sum + cells.size, 0)
}

/**
 * Copies of blocks that won, under numbers of their own, would narrow every interval. Quads that lost and are left out would shift it.
 *
 * @throws MeasurementError for blocks that no measurement by the configuration has
 */
export function checkSchedule(jobs: readonly JobText[], config: Config): void {
  const quick = config.profile === 'quick'
  if (config.profile === 'work') return
  for (const job of jobs) {
    const { gated, blocks } = cellsByBlock(job)
    const most = blocksAtMost(config.blocks, quick, gated.length)
    const last = Math.max(...rowsOf(job.samples).map(({ block }) => Number(block)))
    if (last > most) throw new MeasurementError(`samples.csv of job ${job.job}: found block ${last}, a job has ${most} at most.`)
    const quads = quadsAtMost(config.blocks, quick) * gated.length
    if (quadsOf(blocks) > quads)
      throw new MeasurementError(`samples.csv of job ${job.job}: found ${quadsOf(blocks)} quads of cells, a job has ${quads} at most.`)
    if (isLeftOpen(config)) checkChanges(job.job, gated, blocks)
  }
}

/** Cells drop out at a look only. */
function checkChanges(job: string, gated: readonly string[], blocks: ReadonlyMap<number, ReadonlySet<string>>): void {
  const named = [...blocks].map(([block, cells]) => ({ block, cells: [...cells].sort().join(', ') }))
  const changes = named.filter(({ cells }, i) => cells !== (i === 0 ? gated.join(', ') : named[i - 1]?.cells))
  const wrong = changes.find(({ block }, i) => block <= LOOKS_AT[0] || i >= LOOKS_AT.length - 1)
  if (wrong)
    throw new MeasurementError(`samples.csv of job ${job}: block ${wrong.block} has the cells ${wrong.cells}: no look is before it.`)
}

/**
 * Sentences about the parts of the plan that are missing.
 *
 * @param blocks complete ones, of the cell that has the fewest
 * @throws MeasurementError if what is left cannot be gated, though the plan could have been: leaving blocks out must not end in green
 */
export function missingBlocks(blocks: number, isOpen: boolean, jobs: readonly JobText[], config: Config): string[] {
  if (config.profile === 'work') return []
  const adapts = lookOf(jobs, config).looks === 4
  const planned = adapts ? LOOKS_AT[0] : blocksWanted(config.blocks, config.profile === 'quick')
  const told = `${blocks} of ${planned} planned blocks are complete`
  if (blocks < MIN_BLOCKS && planned >= MIN_BLOCKS)
    throw new MeasurementError(`samples.csv: ${told}; below ${MIN_BLOCKS} nothing can be gated.`)
  if (blocks < planned) return [`${told}.`]
  // A job that ends undecided has had its last look, with at least as many blocks as that asks for.
  const last = Math.max(0, ...jobs.flatMap((job) => [...cellsByBlock(job).blocks.keys()]))
  const hasStopped = isOpen && adapts && last < (LOOKS_AT.at(-1) as number)
  return hasStopped ? [`${last} blocks did not decide, but the measurement did not continue as planned.`] : []
}
