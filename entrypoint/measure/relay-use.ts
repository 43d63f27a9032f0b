/** Whether the relay of `latency` kept up. One process serves every connection, so it must not limit the answers. Pure. */
import type { Measured } from './measured.ts'

/** Of one CPU. A relay that is busier than this delays by more than it was told to. */
const MOST_CPUS = 0.75

/** @param relayCpus undefined where there is no relay */
export function isTooBusy(relayCpus: number | undefined): boolean {
  return relayCpus !== undefined && relayCpus > MOST_CPUS
}

/** @param place what was measured, such as `page/high on swoole` */
export function busySentence(place: string, relayCpus: number): string {
  return `${place}: the relay of \`latency\` used ${relayCpus.toFixed(2)} of a CPU (allowed: ${MOST_CPUS}), so it would limit the answers. Use fewer connections, a longer latency or none.`
}

/** A sentence for each mode and cell with such a run, with the busiest of its runs. */
export function relayWarnings({ notes }: Measured): string[] {
  const busiest = new Map<string, number>()
  for (const { workload, load, mode, relay_cpus: used } of notes) {
    const place = `${workload}/${load} on ${mode}`
    if (used !== undefined && isTooBusy(used)) busiest.set(place, Math.max(used, busiest.get(place) ?? 0))
  }
  return [...busiest].map(([place, used]) => busySentence(place, used))
}
