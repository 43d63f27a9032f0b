/** Tells at which fixed rate the modes of a study part. Pure. */
import type { Plan } from '../plan/plan.ts'
import type { Measured } from './measured.ts'

/** A mode that answers this share of the rate keeps up. hey itself sends a little less. */
const KEEPS_UP = 0.95

interface AtRate {
  mode: string
  /** Medians over the runs. */
  goodput: number
  p99: number | undefined
}

/** One sentence per workload that has rates, for the notes of the report. */
export function ratesOf({ cells, modes }: Pick<Plan, 'cells' | 'modes'>, { samples }: Pick<Measured, 'samples'>): string[] {
  const workloads = [...new Set(cells.map(({ cell }) => cell.workload.name))]
  return workloads.flatMap((workload) => {
    const rates = cells
      .filter(({ cell }) => cell.workload.name === workload)
      .flatMap(({ cell: { load } }) => (load.rate === undefined ? [] : [{ load: load.name, rate: load.rate }]))
      .sort((a, b) => a.rate - b.rate)
    const steps = rates.map(({ load, rate }) => ({
      rate,
      modes: modes.map(({ name }) =>
        medianOf(
          name,
          samples.filter((one) => one.workload === workload && one.load === load && one.mode === name),
        ),
      ),
    }))
    const known = steps.filter((step) => step.modes.every((at) => at !== undefined)) as { rate: number; modes: AtRate[] }[]
    return known.length > 0 ? [sentenceOf(workload, known)] : []
  })
}

function sentenceOf(workload: string, steps: readonly { rate: number; modes: AtRate[] }[]): string {
  const isBehind =
    (rate: number) =>
    (at: AtRate): boolean =>
      at.goodput < KEEPS_UP * rate
  const apart = steps.find(({ rate, modes }) => new Set(modes.map(isBehind(rate))).size > 1)
  const highest = (steps.at(-1) as { rate: number }).rate
  if (!apart) {
    const first = steps.find(({ rate, modes }) => modes.some(isBehind(rate)))
    if (first) return `\`${workload}\`: at ${first.rate} requests per second no mode keeps up: ${first.modes.map(told).join(', ')}.`
    return `\`${workload}\`: every mode keeps up with ${highest} requests per second, so the modes part at a higher rate.`
  }
  const behind = isBehind(apart.rate)
  const [kept, lost] = [apart.modes.filter((at) => !behind(at)), apart.modes.filter(behind)]
  return `\`${workload}\`: the modes part at ${apart.rate} requests per second: ${lost.map(told).join(', ')}; ${kept.map(told).join(', ')}.`
}

function told({ mode, goodput, p99 }: AtRate): string {
  const latency = p99 === undefined ? '' : ` with a p99 of ${p99.toFixed(p99 < 10 ? 1 : 0)} ms`
  return `\`${mode}\` answers ${goodput.toFixed(0)}${latency}`
}

function medianOf(mode: string, runs: Measured['samples']): AtRate | undefined {
  const goodput = median(runs.map(({ goodput_rps }) => goodput_rps))
  if (goodput === undefined) return undefined
  return { mode, goodput, p99: median(runs.flatMap(({ p99_ms }) => (p99_ms === null ? [] : [p99_ms]))) }
}

function median(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
}
