/** Detects by the workers' own counters that a call blocked the workers of an asynchronous mode. Pure. */
import { z } from 'zod'
import type { Measured, RunNote } from './measured.ts'
import type { Sample } from './samples.ts'

/** What a runtime's counters say where each worker answers for itself: php/src/Server/Facts.php. */
const counters = z.object({
  /** How many workers there are. */
  of: z.number(),
  /** Those that were heard, with the most requests that each had in progress at a time. */
  workers: z.array(z.object({ most_at_once: z.number() })),
})

/** Of a worker's time: below it is idle rather than at work, whatever hey and a neighbour take of a small machine. */
const IDLE_BELOW = 0.5
/** Milliseconds of a request without CPU time. Less is what hey takes to send one. */
const WAIT_MS = 1

interface Idle {
  share: number
  waitMs: number
}

/**
 * A worker that waits overlaps its requests, unless the call blocks it. A worker that computes has no time to. So the signs are: more
 * requests than workers at a time, never two in progress in one worker, and workers that were mostly idle.
 *
 * @returns undefined if that is not so, or not known
 */
export function idleWhileRequestsWait(sample: Sample, status: RunNote['status']): Idle | undefined {
  const found = counters.safeParse(status)
  if (!found.success || sample.cpu_us_per_request === null || sample.goodput_rps === 0) return undefined
  const { of, workers } = found.data
  const hasOverlap = workers.some((worker) => worker.most_at_once > 1)
  if (workers.length < of || hasOverlap || sample.concurrency <= of) return undefined
  const cpuMs = sample.cpu_us_per_request / 1000
  const servedMs = (of * 1000) / sample.goodput_rps
  const idle = { share: 1 - cpuMs / servedMs, waitMs: servedMs - cpuMs }
  return idle.share > 1 - IDLE_BELOW && idle.waitMs >= WAIT_MS ? idle : undefined
}

/** A sentence for each mode and cell in which most runs say so. */
export function blockingWarnings({ samples, notes }: Measured): string[] {
  const cells = new Map<string, (Idle | undefined)[]>()
  for (const [i, note] of notes.entries()) {
    const place = `${note.mode}, ${note.workload}/${note.load}, ${note.revision}`
    cells.set(place, [...(cells.get(place) ?? []), idleWhileRequestsWait(samples[i] as Sample, note.status)])
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
