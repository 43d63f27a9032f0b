/** Tells whether the sidecars kept up. Each serves every connection in one process, so it could limit the answers. Pure. */
import type { Rules } from '../config/rules.ts'
import type { SidecarName, SidecarUse, SidecarUses } from '../engines/engine.ts'
import type { Measured, RunNote } from './measured.ts'

/** In CPUs. A busier sidecar answers later than it should. */
const MOST_CPUS = 0.75

/** A sidecar in the window of a run. */
export interface SidecarWindow {
  cpus: number
  /** 99 % of its answers left at most this much later than their delay allows. Undefined if it counts none, or had none. */
  p99LateMs?: number | undefined
}

export type SidecarWindows = Partial<Record<SidecarName, SidecarWindow>>

/** The use between two readings. */
export function grown(before: SidecarUses, after: SidecarUses): SidecarUses {
  return mapped(after, ({ cpuUs, late }, sidecar) => {
    const earlier = before[sidecar]
    const classes = Object.entries(late).map(([bound, answers]) => [bound, answers - (earlier?.late[bound] ?? 0)])
    return { cpuUs: cpuUs - (earlier?.cpuUs ?? 0), late: Object.fromEntries(classes) }
  })
}

/** @param slices the use in each slice of a window of this many seconds */
export function windowsOf(slices: readonly SidecarUses[], seconds: number): SidecarWindows {
  const total: SidecarUses = {}
  for (const [sidecar, use] of slices.flatMap(entries)) total[sidecar] = added(total[sidecar] ?? { cpuUs: 0, late: {} }, use)
  return mapped(total, ({ cpuUs, late }) => ({ cpus: cpuUs / 1e6 / seconds, p99LateMs: p99Of(late) }))
}

/** Each sidecar's name, the key that configures it, and the way to give it less work. */
const WORDS: Record<SidecarName, { name: string; key: string; less: string }> = {
  relay: { name: 'the relay of `latency`', key: 'latency', less: 'a longer latency or none' },
  upstream: { name: 'the slow upstream', key: 'workloads', less: 'a longer delay' },
}

/** @param place the measured cell and mode, such as `page/high on swoole` @returns one sentence per sidecar that was too busy */
export function tooBusy(place: string, windows: SidecarWindows): string[] {
  return entries(windows)
    .filter(([, { cpus }]) => cpus > MOST_CPUS)
    .map(([sidecar, { cpus }]) => {
      const { name, less } = WORDS[sidecar]
      return `${place}: ${name} used ${cpus.toFixed(2)} of a CPU (allowed: ${MOST_CPUS}), so it would limit the answers. Use fewer connections, or ${less}.`
    })
}

/** The configuration key of the first sidecar that was too busy. */
export function keyOf(windows: SidecarWindows): string {
  const [sidecar] = entries(windows).find(([, { cpus }]) => cpus > MOST_CPUS) ?? ['relay' as const]
  return WORDS[sidecar].key
}

/** For a line of progress: `, relay 0.55 CPU, p99 0.21 ms late`. */
export function inBrief(windows: SidecarWindows): string {
  return entries(windows)
    .map(([sidecar, { cpus, p99LateMs }]) => {
      const late = p99LateMs === undefined ? '' : `, p99 ${p99LateMs.toFixed(2)} ms late`
      return `, ${sidecar} ${cpus.toFixed(2)} CPU${late}`
    })
    .join('')
}

/** Sentences per mode and cell, about its busiest run and its median lateness. A single disturbance does not change a median. */
export function sidecarWarnings({ notes }: Measured, latency: Rules['latency']): string[] {
  const places = new Map<string, RunNote[]>()
  for (const note of notes) {
    const place = `${note.workload}/${note.load} on ${note.mode}`
    places.set(place, [...(places.get(place) ?? []), note])
  }
  const busy = [...places].flatMap(([place, runs]) => {
    const relay = { cpus: Math.max(...runs.map(({ relay_cpus: cpus = 0 }) => cpus)) }
    const upstream = { cpus: Math.max(...runs.map(({ upstream_cpus: cpus = 0 }) => cpus)) }
    return tooBusy(place, { relay, upstream })
  })
  const late = [...places].flatMap(([place, runs]) => {
    const sorted = runs.flatMap(({ relay_p99_late_ms: ms }) => ms ?? []).sort((a, b) => a - b)
    const median = sorted[Math.floor(sorted.length / 2)]
    return median === undefined ? [] : [{ place, ms: median }]
  })
  return [...busy, ...tooLate(late, latency)]
}

/** One sentence, about the latest. */
function tooLate(late: readonly { place: string; ms: number }[], latency: Rules['latency']): string[] {
  const shortestMs = Math.min(...Object.values(latency).flatMap((ms) => ms ?? []))
  const [latest, ...others] = late.filter(({ ms }) => ms > shortestMs).sort((a, b) => b.ms - a.ms)
  if (!latest) return []
  const also = others.length > 0 ? ` (and ${others.length} more)` : ''
  return [
    `The relay of \`latency\` was late in ${latest.place}${also}: 1 % of its answers left more than ${latest.ms.toFixed(2)} ms after their delay, which is ${shortestMs} ms. So the services were farther away than configured. Use fewer connections, or a machine with more CPUs.`,
  ]
}

function added(a: SidecarUse, b: SidecarUse): SidecarUse {
  const late = { ...a.late }
  for (const [bound, answers] of Object.entries(b.late)) late[bound] = (late[bound] ?? 0) + answers
  return { cpuUs: a.cpuUs + b.cpuUs, late }
}

/** In milliseconds. */
function p99Of(late: SidecarUse['late']): number | undefined {
  const classes = Object.entries(late).map(([bound, answers]) => ({ boundUs: Number(bound), answers }))
  const total = classes.reduce((sum, { answers }) => sum + answers, 0)
  let seen = 0
  for (const { boundUs, answers } of classes.toSorted((a, b) => a.boundUs - b.boundUs)) {
    seen += answers
    if (answers > 0 && seen >= 0.99 * total) return boundUs / 1000
  }
  return undefined
}

function entries<T>(of: Partial<Record<SidecarName, T>>): [SidecarName, T][] {
  return Object.entries(of) as [SidecarName, T][]
}

function mapped<T, U>(of: Partial<Record<SidecarName, T>>, map: (value: T, sidecar: SidecarName) => U): Partial<Record<SidecarName, U>> {
  return Object.fromEntries(entries(of).map(([sidecar, value]) => [sidecar, map(value, sidecar)]))
}
