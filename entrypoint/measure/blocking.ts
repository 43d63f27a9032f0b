/** Detects from the workers' own counters that a call blocked the workers of an asynchronous mode. Pure. */
import { z } from 'zod'
import type { Measured, RunNote } from './measured.ts'
import type { Sample } from './samples.ts'

/** A runtime's counters, if each worker answers for itself: php/src/Server/Facts.php. */
const counters = z.object({
  /** The number of workers. */
  of: z.number(),
  /** The workers that answered, with the most requests that each had in progress at once. */
  workers: z.array(z.object({ most_at_once: z.number() })),
})

/** A share of a worker's time. Below it the worker is idle, even if hey and neighbours use part of a small machine. */
const IDLE_BELOW = 0.5
/** Milliseconds of a request without CPU time. hey needs less to send one. */
const WAIT_MS = 1
/** A share of the machine's CPU time. Above it a worker may be waiting for a CPU, or for a hey that has none. */
const BUSY_ABOVE = 0.75

interface Idle {
  share: number
  waitMs: number
}

/**
 * A waiting worker overlaps its requests, unless the call blocks it. A computing worker has no time for that. So there are four signs.
 * There are more requests than workers, no worker ever has two in progress, workers are mostly idle, and so is a CPU.
 *
 * @returns undefined if this is not so, or unknown
 */
export function idleWhileRequestsWait(sample: Sample, { status, busy }: Pick<RunNote, 'status' | 'busy'>): Idle | undefined {
  const found = counters.safeParse(status)
  if (!found.success || sample.cpu_us_per_request === null || sample.goodput_rps === 0) return undefined
  if (busy === undefined || busy > BUSY_ABOVE) return undefined
  const { of, workers } = found.data
  const hasOverlap = workers.some((worker) => worker.most_at_once > 1)
  if (workers.length < of || hasOverlap || sample.concurrency <= of) return undefined
  const cpuMs = sample.cpu_us_per_request / 1000
  const servedMs = (of * 1000) / sample.goodput_rps
  const idle = { share: 1 - cpuMs / servedMs, waitMs: servedMs - cpuMs }
  return idle.share > 1 - IDLE_BELOW && idle.waitMs >= WAIT_MS ? idle : undefined
}

/** One sentence per mode and cell for which most runs show it. */
export function blockingWarnings({ samples, notes }: Measured): string[] {
  const cells = new Map<string, (Idle | undefined)[]>()
  for (const [i, note] of notes.entries()) {
    const place = `${note.mode}, ${note.workload}/${note.load}, ${note.revision}`
    // At a fixed rate, which has no law of Little, workers are idle because nobody asks.
    const seen = note.little === null ? undefined : idleWhileRequestsWait(samples[i] as Sample, note)
    cells.set(place, [...(cells.get(place) ?? []), seen])
  }
  return [...cells].flatMap(([place, runs]) => {
    const idle = runs.filter((run) => run !== undefined).sort((a, b) => a.share - b.share)
    const median = idle[Math.floor(idle.length / 2)]
    if (!median || 2 * idle.length <= runs.length) return []
    return [
      `${place}: workers were idle for ${(100 * median.share).toFixed(0)} % of the time while requests waited, and none ever had two in progress. Is a call blocking? Each request waited ${median.waitMs.toFixed(0)} ms in its worker.`,
    ]
  })
}
