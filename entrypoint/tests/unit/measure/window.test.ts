/** The window of a run, from hey's output. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lagOf, percentile, windowOf } from '../../../measure/window.ts'

describe("hey's own clock", () => {
  test('is found by the first answers after pauses', () => {
    // Spawned at 0, its clock begins at 0.03; held at 1, 2 and 3, each time for half a second.
    const ends = [0.5, 0.96, 1.471, 1.9, 2.472, 2.9, 3.47, 3.6]
    const output = { offsetsS: ends.map((end) => end - 0.01), latenciesS: ends.map(() => 0.01), statuses: ends.map(() => 200), errors: {} }
    const pauses = [1, 2, 3].map((heldS) => ({ heldS, resumedS: heldS + 0.5 }))
    assert.ok(Math.abs(lagOf(output, pauses) - 0.029) < 1e-9)
    assert.equal(lagOf(output, []), 0)
  })
})

describe('a window', () => {
  const output = {
    offsetsS: [0.5, 0.9, 1.1, 2.5, 2.9, 1.5],
    latenciesS: [0.4, 0.2, 0.3, 0.5, 0.2, 0.1],
    statuses: [200, 200, 200, 200, 200, 500],
    errors: {},
  }

  test('has the answers that arrived in it, without warm-up and draining', () => {
    // Answered at 0.9 (warm-up), 1.1, 1.4, 3.0 (the end belongs to it), 3.1 (draining), 1.6 (status 500).
    const window = windowOf(output, [{ resumedS: 0, fromS: 1, toS: 3 }], 200)
    assert.equal(window.succeeded, 3)
    assert.equal(window.wrongStatus, 1)
    assert.deepEqual(window.latenciesMs, [200, 300, 500])
    assert.equal(window.halfRatio, 0.5)
  })

  test('without success in its first half has no ratio', () =>
    assert.equal(windowOf(output, [{ resumedS: 0, fromS: 2.9, toS: 3.5 }], 201).halfRatio, null))

  test('of several slices leaves out the pauses, and requests in flight when hey was held', () => {
    const spans = [
      { resumedS: 0, fromS: 1, toS: 2 },
      { resumedS: 2.45, fromS: 2.5, toS: 3.5 },
    ]
    // Answered at 1.1 and 1.4, and at 3.1; begun at 2.5, answered at 3.0; begun at 2.4 while held, answered at 2.6.
    const held = {
      ...output,
      offsetsS: [...output.offsetsS, 2.4],
      latenciesS: [...output.latenciesS, 0.2],
      statuses: [...output.statuses, 200],
    }
    const window = windowOf(held, spans, 200)
    assert.deepEqual(window.latenciesMs, [200, 200, 300, 500])
    assert.equal(window.halfRatio, 1)
    assert.equal(window.wrongStatus, 1)
  })

  test('gives nearest-rank percentiles', () => {
    const numbers = Array.from({ length: 100 }, (_, i) => i + 1)
    assert.deepEqual(
      [50, 95, 99].map((p) => percentile(numbers, p)),
      [50, 95, 99],
    )
    assert.equal(percentile([], 50), null)
  })
})
