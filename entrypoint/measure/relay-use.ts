/** Tells whether the relay of `latency` kept up. One process serves every connection, so it could limit the answers. Pure. */
import type { Measured } from './measured.ts'

/** In CPUs. A busier relay delays answers by more than the configured time. */
const MOST_CPUS = 0.75

/** @param relayCpus undefined without a relay */
export function isTooBusy(relayCpus: number | undefined): boolean {
  return relayCpus !== undefined && relayCpus > MOST_CPUS
}

/** @param place the measured cell and mode, such as `page/high on swoole` */
export function busySentence(place: string, relayCpus: number): string {
  return `${place}: the relay of \`latency\` used ${relayCpus.toFixed(2)} of a CPU (allowed: ${MOST_CPUS}), so it would limit the answers. Use fewer connections, a longer latency or none.`
}

/** One sentence per mode and cell with such a run, about its busiest run. */
export function relayWarnings({ notes }: Measured): string[] {
  const busiest = new Map<string, number>()
  for (const { workload, load, mode, relay_cpus: used } of notes) {
    const place = `${workload}/${load} on ${mode}`
    if (used !== undefined && isTooBusy(used)) busiest.set(place, Math.max(used, busiest.get(place) ?? 0))
  }
  return [...busiest].map(([place, used]) => busySentence(place, used))
}
