/** Cold start: checks the time until a worker is ready, and compares its first answer with its hundredth. */
import type { Revision } from '../config/experiment.ts'
import type { Workload } from '../config/workload.ts'
import { answerOf } from '../preflight/answers.ts'
import { type Check, isOver, TIME_IS_OVER, withServer } from './context.ts'
import { type Found, owed, placed } from './finding.ts'

/** The starts of each revision, in turns. A disturbed machine does not disturb each of them. */
const STARTS = 3
/** An app that starts slowly leaves no time for more. */
const FEWEST_STARTS = 2
const REQUESTS = 100
/** The number of answers that represent the hundredth. */
const LAST = 10
/** Milliseconds. A slower route gets fewer requests than a hundred. */
const LONGEST_MS = 5000

/** A late first answer: this many times the hundredth, and this much later. */
const LATE = { times: 10, ms: 250 }
/** A slow start: this many times base's, and this much longer. */
const SLOW = { times: 1.5, ms: 300 }

/** One start, in milliseconds. */
export interface Start {
  readyMs: number
  firstMs: number
  hundredthMs: number
}

export const coldStart: Check = async (context) => {
  const starts = new Map<Revision, Start[]>(context.revisions.map((revision) => [revision, []]))
  for (let turn = 0; turn < STARTS && !isOver(context); turn++) {
    for (const revision of context.revisions) {
      const [route] = context.routesOf(revision)
      if (!route) continue
      const begun = performance.now()
      starts.get(revision)?.push(await withServer(context, revision, async (server) => answersOf(server, route, performance.now() - begun)))
    }
  }
  const base = starts.get('base')
  return context.revisions.flatMap((revision) => {
    const [route] = context.routesOf(revision)
    if (!route) return []
    const own = starts.get(revision) as Start[]
    const found = own.length < FEWEST_STARTS ? owed(TIME_IS_OVER) : startOf(own, revision === 'head' ? base : undefined)
    return [{ revision, ...placed(route), ...found }]
  })
}

async function answersOf(server: { url: string } & Parameters<typeof answerOf>[0], route: Workload, readyMs: number): Promise<Start> {
  const times: number[] = []
  const until = performance.now() + LONGEST_MS
  while (times.length < REQUESTS && (times.length < 2 || performance.now() < until)) {
    const begun = performance.now()
    await answerOf(server, route, 'cold start')
    times.push(performance.now() - begun)
  }
  const last = times
    .slice(1)
    .slice(-LAST)
    .sort((a, b) => a - b)
  return { readyMs, firstMs: times[0] as number, hundredthMs: last[Math.floor(last.length / 2)] as number }
}

/**
 * A rule without statistics: the fastest start shows the app's own time, the others the machine's disturbances.
 *
 * @param base base's starts, for comparing the time until ready
 */
export function startOf(own: readonly Start[], base: readonly Start[] | undefined): Found {
  const ready = Math.min(...own.map(({ readyMs }) => readyMs))
  const first = Math.min(...own.map(({ firstMs }) => firstMs))
  const hundredth = Math.min(...own.map(({ hundredthMs }) => hundredthMs))
  const [slowest, quickest] = [
    Math.max(...(base ?? []).map(({ readyMs }) => readyMs)),
    Math.min(...(base ?? []).map(({ readyMs }) => readyMs)),
  ]
  const isSlow = base !== undefined && ready > SLOW.times * slowest && ready > slowest + SLOW.ms
  const isLate = first > LATE.times * hundredth && first > hundredth + LATE.ms
  const figures = `ready after ${ms(ready)}, first answer after ${ms(first)}, hundredth after ${ms(hundredth)}`
  const why = [
    ...(isSlow ? [`it is ready after ${ms(ready)}, base after ${ms(quickest)}`] : []),
    ...(isLate ? [`its first answer takes ${ms(first)}, its hundredth ${ms(hundredth)}`] : []),
  ]
  return why.length ? { state: 'broken', sentence: why.join('; ') } : { state: 'held', sentence: figures }
}

function ms(milliseconds: number): string {
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : milliseconds.toFixed(0)} ms`
}
