/** Chooses the order of the arms in a quad. Pure. */

import type { Arm, Mode } from '../config/experiment.ts'
import { type Random, shuffled } from './random.ts'

/**
 * A random order in which position(head, m) - position(base, m) is the same for every mode m. Then linear drift of the machine cancels
 * exactly in the differences between head and base.
 *
 * With two modes {head-async, base-sync} take positions 1 and 4, or 2 and 3, shuffled within each pair, and mirrored.
 * Without a base any order will do.
 *
 * It cuts the positions into pairs (p, p + d). The first of a pair is one revision, the second the other.
 */
export function armOrder(modes: readonly Mode[], hasBase: boolean, random: Random): Arm[] {
  if (!hasBase) {
    return shuffled(modes, random).map((mode) => ({ revision: 'head', mode }))
  }
  const n = modes.length
  // Pairs (p, p + d) fill 2n positions exactly if d divides n.
  const distances = Array.from({ length: n }, (_, i) => i + 1).filter((d) => n % d === 0)
  if (n === 2) return twoModes(modes as [Mode, Mode], random)
  const distance = distances[Math.floor(random() * distances.length)] as number
  const firstIsHead = random() < 0.5
  const starts = Array.from({ length: 2 * n }, (_, p) => p).filter((p) => Math.floor(p / distance) % 2 === 0)
  const order: Arm[] = new Array(2 * n)
  shuffled(modes, random).forEach((mode, i) => {
    const p = starts[i] as number
    order[p] = { mode, revision: firstIsHead ? 'head' : 'base' }
    order[p + distance] = { mode, revision: firstIsHead ? 'base' : 'head' }
  })
  return order
}

/** Two modes: one diagonal pair outside, the other inside. */
function twoModes([sync, async]: [Mode, Mode], random: Random): Arm[] {
  const diagonal: Arm[] = shuffled<Arm>(
    [
      { revision: 'head', mode: async },
      { revision: 'base', mode: sync },
    ],
    random,
  )
  const other: Arm[] = shuffled<Arm>(
    [
      { revision: 'head', mode: sync },
      { revision: 'base', mode: async },
    ],
    random,
  )
  const [outer, inner] = random() < 0.5 ? [diagonal, other] : [other, diagonal]
  return [outer[0] as Arm, ...inner, outer[1] as Arm]
}
