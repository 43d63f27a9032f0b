/** Corrects the latencies of a fixed rate for requests that could not be sent because their connection was busy. Pure. */

/**
 * A connection that waits for a slow answer skips requests that were due meanwhile, so measured latencies hide what those would have
 * waited ("coordinated omission"). For each latency L above the interval I, the values L - I, L - 2I and so on are added while they are
 * at least I. That is HdrHistogram's recordValueWithExpectedInterval().
 *
 * It corrects single slow answers. If a mode is always slower than the rate, the latencies of a steady stream would grow for ever; then
 * the answered rate shows it.
 *
 * @param latenciesMs in ascending order
 * @param intervalMs between two requests of one connection
 * @returns ascending latencies
 */
export function corrected(latenciesMs: readonly number[], intervalMs: number): number[] {
  const all = [...latenciesMs]
  for (const latency of latenciesMs) {
    for (let missing = latency - intervalMs; missing >= intervalMs; missing -= intervalMs) all.push(missing)
  }
  return all.sort((a, b) => a - b)
}
