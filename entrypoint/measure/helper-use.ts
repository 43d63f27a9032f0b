/** Whether the helper processes kept up. Each is one process that serves every connection, so it must not limit the answers. Pure. */
import type { HelperCpu, HelperName } from '../engines/engine.ts'
import type { Measured } from './measured.ts'

/** Of one CPU. A helper that is busier than this answers later than it was told to. */
const MOST_CPUS = 0.75

/** CPU time between two readings. */
export function grown(before: HelperCpu, after: HelperCpu): HelperCpu {
  return Object.fromEntries(entries(after).map(([helper, us]) => [helper, us - (before[helper] ?? 0)]))
}

/** @param slicesUs CPU time in microseconds, for each slice of a window of this many seconds @returns CPUs */
export function cpusOf(slicesUs: readonly HelperCpu[], seconds: number): HelperCpu {
  const cpus: HelperCpu = {}
  for (const [helper, us] of slicesUs.flatMap(entries)) cpus[helper] = (cpus[helper] ?? 0) + us / 1e6 / seconds
  return cpus
}

/** What each is called, and what makes its work less. */
const WORDS: Record<HelperName, { name: string; key: string; less: string }> = {
  relay: { name: 'the relay of `latency`', key: 'latency', less: 'a longer latency or none' },
  upstream: { name: 'the slow upstream', key: 'workloads', less: 'a longer delay' },
}

/** @param place what was measured, such as `page/high on swoole` @returns a sentence for each helper that was too busy */
export function tooBusy(place: string, cpus: HelperCpu): string[] {
  return entries(cpus)
    .filter(([, used]) => used > MOST_CPUS)
    .map(([helper, used]) => {
      const { name, less } = WORDS[helper]
      return `${place}: ${name} used ${used.toFixed(2)} of a CPU (allowed: ${MOST_CPUS}), so it would limit the answers. Use fewer connections, or ${less}.`
    })
}

/** The keys of the configuration that the helpers of too busy a run come from. */
export function keyOf(cpus: HelperCpu): string {
  const [helper] = entries(cpus).find(([, used]) => used > MOST_CPUS) ?? ['relay' as const]
  return WORDS[helper].key
}

/** For a line of progress: `, relay 0.55 CPU`. */
export function inBrief(cpus: HelperCpu): string {
  return entries(cpus)
    .map(([helper, used]) => `, ${helper} ${used.toFixed(2)} CPU`)
    .join('')
}

/** Sentences for each mode and cell with such a run, with the busiest of its runs. */
export function helperWarnings({ notes }: Measured): string[] {
  const busiest = new Map<string, HelperCpu>()
  for (const { workload, load, mode, relay_cpus: relay = 0, upstream_cpus: upstream = 0 } of notes) {
    const place = `${workload}/${load} on ${mode}`
    const before = busiest.get(place)
    busiest.set(place, { relay: Math.max(relay, before?.relay ?? 0), upstream: Math.max(upstream, before?.upstream ?? 0) })
  }
  return [...busiest].flatMap(([place, cpus]) => tooBusy(place, cpus))
}

function entries(cpus: HelperCpu): [HelperName, number][] {
  return Object.entries(cpus) as [HelperName, number][]
}
