/** Latencies of the pilot -> the time that a run and a quad take. Pure. */

/** How long one run of a cell takes. */
export interface Timing {
  warmupS: number
  windowS: number
  /** Into how many slices the window is cut, taken in turns with the other arms of the quad. 1: one arm after the other. */
  slices: number
  /** Before each slice, and after it until the other arm's: what is in flight is answered. */
  guardS: number
}

/** What the pilot saw of a cell, in its slowest arm. */
export interface PilotResult {
  /** Mean latency in seconds. */
  latencyS: number
  /** Successful responses per second. */
  goodput: number
}

/** Time around a run's load: restore the database, start the server, wait until the machine is idle, stop. */
export const OVERHEAD_S = 1.6
/** Before each quad: CPU probe and the wait for an idle machine. */
const QUAD_OVERHEAD_S = 0.5
/** Seconds that a quad takes, with all that is around its runs. */
export function quadSeconds(arms: number, { warmupS, windowS, slices, guardS }: Timing): number {
  return QUAD_OVERHEAD_S + arms * (warmupS + windowS + 2 * slices * guardS + OVERHEAD_S)
}

/** Seconds that a quad takes however quick its answers are. */
export function shortestQuadS(arms: number): number {
  return quadSeconds(arms, { ...SHORTEST, ...ONE_SLICE })
}

/** Noise is between servers, not inside a window, so windows are as short as they may be. */
export function timingOf(pilot: PilotResult | undefined, quick: boolean, canTakeTurns: boolean): Timing {
  if (!pilot) return { ...SHORTEST, ...ONE_SLICE }
  const round = (s: number): number => Math.ceil(s * 10) / 10
  const timing = quick
    ? SHORTEST
    : {
        warmupS: round(Math.max(1, 5 * pilot.latencyS)),
        windowS: round(Math.max(2, 10 * pilot.latencyS, pilot.goodput > 0 ? 100 / pilot.goodput : 0)),
      }
  return { ...timing, ...(canTakeTurns ? slicesOf(timing.windowS, pilot.latencyS) : ONE_SLICE) }
}

const SHORTEST = { warmupS: 1, windowS: 2 }
const ONE_SLICE = { slices: 1, guardS: 0 }
const MIN_SLICE_S = 0.1
const MIN_GUARD_S = 0.005
/** With fewer, taking turns is not worth what it costs. */
const MIN_SLICES = 4

/** An even number of slices, each six times as long as the guard in which what is in flight is answered. */
function slicesOf(windowS: number, latencyS: number): Pick<Timing, 'slices' | 'guardS'> {
  const guardS = Math.max(MIN_GUARD_S, 3 * latencyS)
  const slices = 2 * Math.floor(windowS / Math.max(MIN_SLICE_S, 6 * guardS) / 2)
  return slices < MIN_SLICES ? ONE_SLICE : { slices, guardS }
}
