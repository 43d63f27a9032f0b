/** Tells whether memory grows during a soak. R estimates the growth, and this file words it. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { PACKAGE } from '../config/catalog.ts'
import { apart } from '../system/environment.ts'
import { MeasurementError } from '../system/errors.ts'
import { exec } from '../system/exec.ts'
import { scratch } from '../system/scratch.ts'
import { lastLine } from '../system/tail.ts'
import { type Figure, type Found, owed } from './finding.ts'

/** One route's slices. Bytes are those added during a slice. */
export interface Series {
  requests: number[]
  /** PHP's own memory. */
  heap: number[]
  /** The rest of the processes' memory. Zeros if it is unknown. */
  whole: number[]
  /** Added during the whole soak, as Swoole counts them. */
  coroutines: number
  timers: number
}

/** In KiB per 1,000 requests, after the warm-up. Null if there are too few slices. */
const interval = z.object({ estimate: z.number(), low: z.number(), high: z.number(), grows: z.boolean() }).nullable()
const answer = z.array(z.object({ heap: interval, whole: interval }))
type Growth = z.output<typeof answer>[number]

/** @throws MeasurementError if R fails */
export async function growthOf(series: readonly Series[], rscript: string): Promise<Found[]> {
  const directory = scratch()
  try {
    const file = join(directory, 'soak.json')
    writeFileSync(file, JSON.stringify(series))
    const done = await exec([rscript, '--vanilla', join(PACKAGE, 'r', 'soak.R'), file], { ...apart({ TZ: 'UTC' }), timeoutMs: 60_000 })
    if (done.code !== 0) throw new MeasurementError(`r/soak.R failed: ${lastLine(done.stderr)}`)
    const growths = answer.parse(JSON.parse(done.stdout))
    return series.map((one, i) => inWords(one, growths[i] as Growth))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

export function inWords({ requests, coroutines, timers }: Series, { heap, whole }: Growth): Found {
  if (!heap) return owed('too few requests were answered')
  const answered = requests.reduce((sum, count) => sum + count, 0)
  const inSwoole = [coroutines > 0 && `${coroutines} more coroutines`, timers > 0 && `${timers} more timers`].filter(Boolean)
  const grown = heap.grows ? heap : whole?.grows ? whole : undefined
  if (!grown) return { state: 'held', sentence: `memory grows by ${told(heap)} over ${count(answered)} requests`, figure: figureOf(heap) }
  const where = heap.grows ? "in PHP's own memory" : "outside of PHP's own memory, so in an extension or in the server"
  const besides = inSwoole.length ? `; Swoole has ${inSwoole.join(' and ')}` : ''
  return {
    state: 'broken',
    sentence: `memory grows by ${told(grown)} over ${count(answered)} requests, ${where}${besides}`,
    figure: figureOf(grown),
  }
}

type Interval = NonNullable<Growth['heap']>

function figureOf({ estimate, low, high }: Interval): Figure {
  return { estimate, low, high }
}

function told({ estimate, low, high }: Interval): string {
  return `${count(estimate)} KiB per 1,000 requests (95 % CI ${count(low)} to ${count(high)})`
}

function count(value: number): string {
  // Avoids "-0".
  return (Math.round(value) || 0).toLocaleString('en-US')
}
