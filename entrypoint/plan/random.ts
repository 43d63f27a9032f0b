/**
 * A seeded source of random numbers, so that a logged seed reproduces the order.
 * Our own code, because Math.random() takes no seed, and a package's new version must not change a seed's order.
 */

/** Uniform numbers in [0, 1). */
export type Random = () => number

/** Mulberry32 (public domain, T. Ettinger): uniform numbers in [0, 1). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** A shuffled copy (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const copy = [...items]
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[copy[i], copy[j]] = [copy[j] as T, copy[i] as T]
  }
  return copy
}
