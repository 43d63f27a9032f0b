/** Tells whether the sidecars kept up. Each serves every connection in one process, so it could limit the answers. Pure. */
import type { SidecarCpu, SidecarName } from '../engines/engine.ts'
import type { Measured } from './measured.ts'

/** In CPUs. A busier sidecar answers later than it should. */
const MOST_CPUS = 0.75

/** CPU time between two readings, in microseconds. */
export function grown(before: SidecarCpu, after: SidecarCpu): SidecarCpu {
  return Object.fromEntries(entries(after).map(([sidecar, us]) => [sidecar, us - (before[sidecar] ?? 0)]))
}

/** @param slicesUs CPU time in microseconds, for each slice of a window of this many seconds @returns CPUs */
export function cpusOf(slicesUs: readonly SidecarCpu[], seconds: number): SidecarCpu {
  const cpus: SidecarCpu = {}
  for (const [sidecar, us] of slicesUs.flatMap(entries)) cpus[sidecar] = (cpus[sidecar] ?? 0) + us / 1e6 / seconds
  return cpus
}

/** Each sidecar's name, the key that configures it, and the way to give it less work. */
const WORDS: Record<SidecarName, { name: string; key: string; less: string }> = {
  relay: { name: 'the relay of `latency`', key: 'latency', less: 'a longer latency or none' },
  upstream: { name: 'the slow upstream', key: 'workloads', less: 'a longer delay' },
}

/** @param place the measured cell and mode, such as `page/high on swoole` @returns one sentence per sidecar that was too busy */
export function tooBusy(place: string, cpus: SidecarCpu): string[] {
  return entries(cpus)
    .filter(([, used]) => used > MOST_CPUS)
    .map(([sidecar, used]) => {
      const { name, less } = WORDS[sidecar]
      return `${place}: ${name} used ${used.toFixed(2)} of a CPU (allowed: ${MOST_CPUS}), so it would limit the answers. Use fewer connections, or ${less}.`
    })
}

/** The configuration key of the first sidecar that was too busy. */
export function keyOf(cpus: SidecarCpu): string {
  const [sidecar] = entries(cpus).find(([, used]) => used > MOST_CPUS) ?? ['relay' as const]
  return WORDS[sidecar].key
}

/** For a line of progress: `, relay 0.55 CPU`. */
export function inBrief(cpus: SidecarCpu): string {
  return entries(cpus)
    .map(([sidecar, used]) => `, ${sidecar} ${used.toFixed(2)} CPU`)
    .join('')
}

/** Sentences per mode and cell with such a run, about its busiest run. */
export function sidecarWarnings({ notes }: Measured): string[] {
  const busiest = new Map<string, SidecarCpu>()
  for (const { workload, load, mode, relay_cpus: relay = 0, upstream_cpus: upstream = 0 } of notes) {
    const place = `${workload}/${load} on ${mode}`
    const before = busiest.get(place)
    busiest.set(place, { relay: Math.max(relay, before?.relay ?? 0), upstream: Math.max(upstream, before?.upstream ?? 0) })
  }
  return [...busiest].flatMap(([place, cpus]) => tooBusy(place, cpus))
}

function entries(cpus: SidecarCpu): [SidecarName, number][] {
  return Object.entries(cpus) as [SidecarName, number][]
}
