/** The load search, on a server with a known knee. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { levelsAround, type Point, searchLoad } from '../../../measure/search.ts'
import { randomFrom } from '../../../plan/random.ts'

const PEAK = 1000

/**
 * Goodput rises in proportion up to the knee, then falls slowly; far beyond it requests fail. Each run varies by some 3 %, and one in twelve
 * is slowed by up to half or has a failure that is not the load's.
 */
function server(knee: number, seed: number): (concurrency: number) => Point {
  const random = randomFrom(seed)
  return (concurrency) => {
    const ideal = concurrency < knee ? (PEAK * concurrency) / knee : PEAK * (knee / concurrency) ** 0.3
    const noise = Math.exp(0.03 * Math.sqrt(12 / 4) * (random() + random() + random() + random() - 2))
    const isSlow = random() < 1 / 12
    const isHiccup = random() < 1 / 24
    const fails = concurrency > 6 * knee
    return { concurrency, goodput: ideal * noise * (isSlow ? 1 - random() / 2 : 1), failed: fails || isHiccup ? 3 : 0 }
  }
}

const found = (knee: number, seed: number, most = 1024) => {
  const probe = server(knee, seed)
  return searchLoad({ probe: async (concurrency) => probe(concurrency), most, isOver: () => false })
}

describe('the load search', () => {
  for (const knee of [12, 45, 180]) {
    test(`finds a knee at ${knee} within one step in at least 19 of 20 noisy searches`, async () => {
      const bests = await Promise.all(Array.from({ length: 20 }, async (_, seed) => (await found(knee, seed + 1)).best ?? 0))
      const near = bests.filter((best) => Math.abs(Math.log2(best / knee)) <= 0.55)
      assert.ok(near.length >= 19, `${near.length} of 20: ${bests.join(' ')}`)
    })
  }

  test('takes few runs, within its limits', async () => {
    for (const seed of [1, 2, 3]) {
      const { points } = await found(45, seed)
      assert.ok(points.length <= 30, `${points.length} runs`)
      assert.ok(Math.max(...(await found(500, seed, 64)).points.map(({ concurrency }) => concurrency)) <= 64)
    }
  })

  test('ends when the time is over, with the best so far', async () => {
    const probe = server(45, 1)
    let runs = 0
    const { points, best } = await searchLoad({
      probe: async (concurrency) => {
        runs++
        return probe(concurrency)
      },
      most: 1024,
      isOver: () => runs >= 5,
    })
    assert.deepEqual([points.length, best], [5, 16])
  })

  test('finds nothing if every run fails', async () => {
    const { best, points } = await searchLoad({
      probe: async (concurrency) => ({ concurrency, goodput: 50, failed: 1 }),
      most: 1024,
      isOver: () => false,
    })
    assert.deepEqual([best, points.length], [undefined, 4])
  })

  test('refines in half steps, inside the limits', () => {
    assert.deepEqual(levelsAround(32, 1024), [32, 23, 45, 16, 64])
    assert.deepEqual(levelsAround(1, 1024), [1, 2])
    assert.deepEqual(levelsAround(64, 64), [64, 45, 32])
  })
})
