/** Finds the load with the highest goodput and no failed request, by doubling and then refining. Pure: a probe measures. */

/** One run at a concurrency. */
export interface Point {
  concurrency: number
  /** Successful responses per second. */
  goodput: number
  failed: number
}

export interface Search {
  probe: (concurrency: number) => Promise<Point>
  /** The highest concurrency to try. */
  most: number
  /** Whether the time is over. Then the points so far decide. */
  isOver: () => boolean
}

export interface Searched {
  /** In the order of their measurement. */
  points: Point[]
  /** Undefined if every level had failures. */
  best: number | undefined
}

/** The runs per level near the best one. An odd number has a median that was measured. */
const REPEATS = 3
/** A level below this share of the best goodput so far is measured again. Two of them in a row end the doubling. */
const WORSE = 0.9
/** Levels within this share of the highest goodput are equally good. The lowest of them has the shortest latency. */
const AS_GOOD = 0.98

/**
 * The levels are 1, 2, 4 … and, near the best of them, the half steps between. So a step is a factor of 1.41.
 * A single noisy run decides nothing: a bad level is measured again, and near the best the median of three runs counts.
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

/** From half the level to twice the level, in half steps. The nearest come first, so that a lack of time omits the farthest. */
export function levelsAround(level: number, most: number): number[] {
  const levels = [0, -0.5, 0.5, -1, 1].map((octaves) => Math.round(level * 2 ** octaves))
  return [...new Set(levels)].filter((each) => each >= 1 && each <= most)
}

function isBad(points: readonly Point[], level: number): boolean {
  const others = points.filter(({ concurrency, failed }) => concurrency !== level && failed === 0).map(({ goodput }) => goodput)
  return !isClean(points, level) || Math.max(...goodputs(points, level)) < WORSE * Math.max(0, ...others)
}

/** The lowest level without failures that is as good as the best one. */
function bestOf(points: readonly Point[]): number | undefined {
  const levels = [...new Set(points.map(({ concurrency }) => concurrency))].sort((a, b) => a - b).filter((level) => isClean(points, level))
  const rates = levels.map((level) => median(goodputs(points, level)))
  return levels[rates.findIndex((rate) => rate >= AS_GOOD * Math.max(...rates))]
}

/** Whether more than half of its runs had no failed request. A single failure may not be due to the load. */
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

/** The upper of two middle values, because disturbances only slow a run. */
function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number
}
