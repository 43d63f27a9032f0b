/** Computes from the pilot's latencies how long a run and a quad take. Pure. */

/** How long one run of a cell takes. */
export interface Timing {
  warmupS: number
  windowS: number
  /** The number of slices of the window. The arms of the quad take turns with them. 1: one arm after the other. */
  slices: number
  /** Seconds before each slice, and after it before the next arm's: requests in flight are answered. */
  guardS: number
}

/** The pilot's result for a cell, in its slowest arm. */
export interface PilotResult {
  /** Mean latency in seconds. */
  latencyS: number
  /** Successful responses per second. */
  goodput: number
}

/** Where nothing was measured, for the least time that a plan can take. */
export const FASTEST: PilotResult = { latencyS: 0, goodput: Number.POSITIVE_INFINITY }

/** Seconds besides the load of a run, or of runs that take turns: restore the database, start servers, wait for an idle machine, stop. */
const OVERHEAD_S = 1.6
/** Seconds before each quad: CPU probe and the wait for an idle machine. */
const QUAD_OVERHEAD_S = 0.5
/** Seconds of a quad, with everything besides its load. Arms that take turns start, warm up and stop side by side. */
export function quadSeconds(arms: number, { warmupS, windowS, slices, guardS }: Timing): number {
  const besidesS = warmupS + OVERHEAD_S
  return QUAD_OVERHEAD_S + arms * (windowS + 2 * slices * guardS) + (slices > 1 ? besidesS : arms * besidesS)
}

/**
 * The longest time for which the load of an arm is held: the others have two slices each, or one of them warms up longer. A busy machine
 * needs longer for everything, so it is twice the time that is planned. 0 for arms that do not take turns.
 *
 * @returns seconds
 */
export function longestHoldS(arms: number, { warmupS, windowS, slices, guardS }: Timing): number {
  if (slices === 1) return 0
  const turnS = windowS / slices + 2 * guardS + READINGS_S
  return 2 * (warmupS + guardS + 2 * (arms - 1) * turnS)
}

/** Seconds for the readings around a slice. */
const READINGS_S = 0.05

/** Seconds of a quad with the fastest answers, whose arms take turns. */
export function shortestQuadS(arms: number): number {
  return quadSeconds(arms, timingOf(FASTEST, true, true))
}

/** Noise comes from differences between servers, not from within a window. So windows are as short as possible. */
export function timingOf(pilot: PilotResult | undefined, quick: boolean, canTakeTurns: boolean): Timing {
  if (!pilot) return { ...SHORTEST, ...ONE_SLICE }
  const round = (s: number): number => Math.ceil(s * 10) / 10
  const timing = quick
    ? SHORTEST
    : {
        warmupS: round(Math.max(1, 5 * pilot.latencyS)),
        windowS: round(Math.max(2, 10 * pilot.latencyS, pilot.goodput > 0 ? 100 / pilot.goodput : 0)),
      }
  const turns = canTakeTurns ? slicesOf(timing.windowS, pilot.latencyS) : ONE_SLICE
  return { ...timing, warmupS: timing.warmupS * (turns.slices > 1 ? SIDE_BY_SIDE : 1), ...turns }
}

/** Arms that warm up side by side share the CPUs. */
const SIDE_BY_SIDE = 1.5

const SHORTEST = { warmupS: 1, windowS: 2 }
const ONE_SLICE = { slices: 1, guardS: 0 }
const MIN_SLICE_S = 0.1
const MIN_GUARD_S = 0.005
/** With fewer slices, taking turns costs more than it gains. */
const MIN_SLICES = 4

/** Groups of requests in a window: at a fixed rate all connections send at the same moments. */
const MIN_GROUPS = 4

/** Makes the window a whole number of intervals, so that its phase does not change the rate. Without a rate nothing changes. */
export function atRate<T extends Pick<Timing, 'warmupS' | 'windowS'>>(timing: T, intervalS: number | undefined): T {
  if (intervalS === undefined) return timing
  const groups = Math.max(MIN_GROUPS, Math.ceil(timing.windowS / intervalS))
  // The first group is sent one interval after the start.
  return { ...timing, warmupS: timing.warmupS + intervalS, windowS: groups * intervalS }
}

/** An even number of slices, each six times as long as the guard. */
function slicesOf(windowS: number, latencyS: number): Pick<Timing, 'slices' | 'guardS'> {
  const guardS = Math.max(MIN_GUARD_S, 3 * latencyS)
  const slices = 2 * Math.floor(windowS / Math.max(MIN_SLICE_S, 6 * guardS) / 2)
  return slices < MIN_SLICES ? ONE_SLICE : { slices, guardS }
}
