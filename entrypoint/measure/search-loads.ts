/** Finds the loads of a study with `loads: search`: the best one per mode and workload. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seconds } from '../config/durations.ts'
import type { Cell, Load, Mode } from '../config/experiment.ts'
import { isSearched } from '../config/load-search.ts'
import type { Workload } from '../config/workload.ts'
import type { Bench, Best } from '../engines/set-up.ts'
import type { Timing } from '../plan/timing.ts'
import { MeasurementError } from '../system/errors.ts'
import type { Job } from '../system/job.ts'
import { measureTogether } from './run.ts'
import { ran } from './run-result.ts'
import { type Sample, samplesCsv } from './samples.ts'
import { type Point, searchLoad } from './search.ts'

/** The highest concurrency to try. */
const MOST = 512
/** The share of the budget for all searches together. The study has the whole budget besides. */
const SHARE = 1 / 3
const SHORTEST = { warmupS: 0.5, windowS: 1.5 }
/** The longest run, however slow the answers are. */
const LONGEST_S = 10

/** @throws MeasurementError for a mode that serves a workload at no load without failed requests */
export async function searchLoads(bench: Bench, job: Job): Promise<Bench> {
  const { settled, inputs } = bench
  if (!isSearched(settled.rules)) return bench
  const { modes, rules } = settled
  const workloads = settled.gated.map(({ workload }) => workload)
  const searches = workloads.flatMap((workload) => modes.map((mode) => ({ workload, mode })))
  const allMs = seconds(rules.budget) * 1000 * SHARE
  const began = Date.now()
  const samples: Sample[] = []
  const found: Best[] = []
  for (const [index, { workload, mode }] of searches.entries()) {
    // Time that one search does not use goes to the next.
    const until = began + (allMs * (index + 1)) / searches.length
    const probe = probeOf(bench, job, workload, mode, samples)
    const { points, best } = await searchLoad({ probe, most: MOST, isOver: () => Date.now() > until })
    if (best === undefined)
      throw new MeasurementError(`loads: search: ${mode.name} served ${workload.name} at no load without failed requests`)
    job.say(`search: ${workload.name} on ${mode.name}: best at ${best} connections, ${points.length} runs`)
    found.push({ workload: workload.name, mode: mode.name, concurrency: best })
  }
  mkdirSync(inputs.out, { recursive: true })
  const file = join(inputs.out, 'search.csv')
  writeFileSync(file, samplesCsv(samples))
  const cells = workloads.flatMap((workload) => loadsOf(workload, found).map((load): Cell => ({ workload, load })))
  const loads = Object.fromEntries(cells.map(({ load: { name, concurrency } }) => [name, { concurrency }]))
  writeFileSync(join(inputs.out, 'loads.yml'), frozen(loads))
  const coverage = { gated: cells.length, of: cells.length }
  return { ...bench, searched: { file, best: found }, settled: { ...settled, rules: { ...rules, loads }, gated: cells, coverage } }
}

/** The found loads, without duplicates, because modes may share one. */
function loadsOf({ name }: Workload, found: readonly Best[]): Load[] {
  const ofWorkload = found.filter(({ workload }) => workload === name).map(({ concurrency }) => concurrency)
  return [...new Set(ofWorkload)].sort((a, b) => a - b).map((concurrency) => ({ name: nameOf(concurrency), concurrency }))
}

const nameOf = (concurrency: number): string => `c${concurrency}`

/** The found loads as part of a configuration, so that a gate can use them without a search. Pure. */
export function frozen(loads: Record<string, { concurrency: number }>): string {
  const lines = Object.entries(loads).map(([name, { concurrency }]) => `  ${name}: { concurrency: ${concurrency} }\n`)
  return `# Found by a study with \`loads: search\`: for each mode and workload the load of the highest goodput without a failed request.\nloads:\n${lines.join('')}`
}

/** A run on a fresh server. It is kept as a sample, too. */
function probeOf(bench: Bench, job: Job, workload: Workload, mode: Mode, samples: Sample[]): (concurrency: number) => Promise<Point> {
  const { engine, tools, inputs } = bench
  const options = { engine, hey: tools.hey, patience: job.patience, signal: job.signal }
  let last: Point | undefined
  return async (concurrency) => {
    const load = { name: nameOf(concurrency), concurrency }
    const arm = { revision: 'head' as const, mode }
    const [result] = await measureTogether([arm], { workload, load }, timingAt(concurrency, last), options)
    if (!result) throw new Error('no result of the one arm')
    if (!ran(result)) await engine.assertAlive()
    const { line } = result
    const repetition = samples.filter(
      (sample) => sample.workload === workload.name && sample.mode === mode.name && sample.load === load.name,
    )
    samples.push({
      ...{ job: inputs.job, block: repetition.length + 1, position: 1, workload: workload.name, load: load.name, concurrency },
      ...{ revision: 'head', mode: mode.name, ...line, attempt: 1 },
    })
    last = { concurrency, goodput: line.goodput_rps, failed: ran(result) ? line.failed : Math.max(1, line.failed) }
    return last
  }
}

/** Long enough for some answers per connection, as estimated from the previous run (Little's law). Pure. */
export function timingAt(concurrency: number, last: Point | undefined): Timing {
  const latencyS = last && last.goodput > 0 ? concurrency / last.goodput : 0
  const atLeast = (s: number, latencies: number): number => Math.min(LONGEST_S, Math.max(s, latencies * latencyS))
  return { warmupS: atLeast(SHORTEST.warmupS, 2), windowS: atLeast(SHORTEST.windowS, 4), slices: 1, guardS: 0 }
}
