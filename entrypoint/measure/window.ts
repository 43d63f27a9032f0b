/** Selects the answers that arrived inside the window. Pure. */
import type { HeyOutput } from './hey.ts'

/** Counts and latencies of the answers inside a window. */
export interface Window {
  succeeded: number
  /** Answers with an unexpected status. */
  wrongStatus: number
  /** Latencies of the successes, in ascending order. */
  latenciesMs: number[]
  /** Rate in the second half / rate in the first. Null if the first half has no success. */
  halfRatio: number | null
}

/** A period, in seconds since hey's start. */
export interface Span {
  /** Requests that began earlier are not counted: hey was held, so their time includes the pause. */
  resumedS: number
  fromS: number
  toS: number
}

/**
 * Counts the answers that arrived in one of the spans (fromS, toS]. Warm-up, draining and pauses between spans do not count.
 *
 * @param spans in ascending order
 * @param status the status that counts as success
 */
export function windowOf(output: HeyOutput, spans: readonly Span[], status: number): Window {
  const lengths = spans.map(({ fromS, toS }) => toS - fromS)
  const sum = (list: number[]): number => list.reduce((a, b) => a + b, 0)
  const half = sum(lengths) / 2
  const before = spans.map((_, i) => sum(lengths.slice(0, i)))
  const latenciesMs: number[] = []
  let wrongStatus = 0
  let firstHalf = 0
  output.offsetsS.forEach((offset, i) => {
    const latency = output.latenciesS[i] as number
    const end = offset + latency
    const s = spans.findIndex(({ resumedS, fromS, toS }) => offset >= resumedS && end > fromS && end <= toS)
    if (s === -1) return
    if (output.statuses[i] !== status) {
      wrongStatus++
      return
    }
    latenciesMs.push(latency * 1000)
    if ((before[s] as number) + end - (spans[s] as Span).fromS <= half) firstHalf++
  })
  const succeeded = latenciesMs.length
  latenciesMs.sort((a, b) => a - b)
  return { succeeded, wrongStatus, latenciesMs, halfRatio: firstHalf > 0 ? (succeeded - firstHalf) / firstHalf : null }
}

/** When hey was held and when it continued, in seconds since it was spawned. */
export interface Pause {
  heldS: number
  resumedS: number
}

/**
 * Seconds from the start of hey to the start of its own clock: the median over all pauses. The first responses after a pause were
 * already in its sockets, so their time is the time at which hey continued.
 */
export function lagOf(output: HeyOutput, pauses: readonly Pause[]): number {
  const ends = output.offsetsS.map((offset, i) => offset + (output.latenciesS[i] as number))
  const lags = pauses
    .map(
      ({ heldS, resumedS }) => resumedS - ends.reduce((first, end) => (end > heldS && end < first ? end : first), Number.POSITIVE_INFINITY),
    )
    .filter(Number.isFinite)
    .sort((a, b) => a - b)
  return lags[Math.floor(lags.length / 2)] ?? 0
}

/** Nearest-rank percentile of ascending numbers. Null for an empty list. */
export function percentile(ascending: readonly number[], percent: number): number | null {
  return ascending[Math.max(0, Math.ceil((percent / 100) * ascending.length) - 1)] ?? null
}
