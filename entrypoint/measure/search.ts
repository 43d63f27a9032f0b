/** Finds the load with the highest goodput and no failed request, by doubling and then refining. Pure: a probe does the measuring. */

/** One run at a concurrency. */
export interface Point {
  concurrency: number
  /** Successful responses per second. */
  goodput: number
  failed: number
}

export interface Search {
  probe: (concurrency: number) => Promise<Point>
  /** The highest concurrency that is tried. */
  most: number
  /** Whether time is up: what was seen so far decides. */
  isOver: () => boolean
}

export interface Searched {
  /** In the order in which they were measured. */
  points: Point[]
  /** Undefined where every level had failures. */
  best: number | undefined
}

/** Of a level near the best one: an odd number has a median that was measured. */
const REPEATS = 3
/** Below this share of the best goodput so far a level is looked at again, and two of them in a row end the doubling. */
const WORSE = 0.9
/** Levels within this share of the highest goodput are as good; the lowest of them has the shortest latency. */
const AS_GOOD = 0.98

/**
 * Levels are 1, 2, 4 … and, around the best of them, the half steps between, so a step is a factor of 1.41.
 * One noisy run misleads nothing: a bad level is measured again, and near the best the median of three runs decides.
 */
export async function searchLoad({ probe, most, isOver }: Search): Promise<Searched> {
  const points: Point[] = []
  const measure = async (concurrency: number): Promise<void> => {
    points.push(await probe(concurrency))
  }
  for (let level = 1, bad = 0; level <= most && bad < 2 && !isOver(); level *= 2) {
    await measure(level)
    if (isBad(points, level) && !isOver()) await measure(level)
    bad = isBad(points, level) ? bad + 1 : 0
  }
  const around = bestOf(points)
  if (around === undefined) return { points, best: undefined }
  for (const level of levelsAround(around, most)) {
    while (runsAt(points, level).length < REPEATS && !isOver()) await measure(level)
  }
  return { points, best: bestOf(points) }
}

/** From half the level to twice of it, in half steps; the nearest first, so that time which is up costs the farthest. */
export function levelsAround(level: number, most: number): number[] {
  const levels = [0, -0.5, 0.5, -1, 1].map((octaves) => Math.round(level * 2 ** octaves))
  return [...new Set(levels)].filter((each) => each >= 1 && each <= most)
}

function isBad(points: readonly Point[], level: number): boolean {
  const others = points.filter(({ concurrency, failed }) => concurrency !== level && failed === 0).map(({ goodput }) => goodput)
  return !isClean(points, level) || Math.max(...goodputs(points, level)) < WORSE * Math.max(0, ...others)
}

/** The lowest level that is as good as the best one, among those without failures. */
function bestOf(points: readonly Point[]): number | undefined {
  const levels = [...new Set(points.map(({ concurrency }) => concurrency))].sort((a, b) => a - b).filter((level) => isClean(points, level))
  const rates = levels.map((level) => median(goodputs(points, level)))
  return levels[rates.findIndex((rate) => rate >= AS_GOOD * Math.max(...rates))]
}

/** More than half of its runs had no failed request: one hiccup is not the load's. */
function isClean(points: readonly Point[], level: number): boolean {
  const runs = runsAt(points, level)
  return runs.filter(({ failed }) => failed === 0).length * 2 > runs.length
}

function runsAt(points: readonly Point[], level: number): Point[] {
  return points.filter(({ concurrency }) => concurrency === level)
}

function goodputs(points: readonly Point[], level: number): number[] {
  return runsAt(points, level).flatMap(({ failed, goodput }) => (failed === 0 ? [goodput] : []))
}

/** The upper one of two: a run is only ever slowed. */
function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number
}
