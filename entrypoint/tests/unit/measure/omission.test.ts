/** Latencies of a fixed rate, corrected for requests that could not be sent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corrected } from '../../../measure/omission.ts'

test('a slow answer adds what the skipped requests would have waited', () => {
  // Due at 100, 200 and 300 ms: they would have waited 350, 250 and 150 ms. The one due at 400 ms was sent late, not skipped.
  assert.deepEqual(corrected([10, 450], 100), [10, 150, 250, 350, 450])
})

test('answers within the interval, or up to twice as long, add nothing', () => {
  assert.deepEqual(corrected([10, 99, 100, 199], 100), [10, 99, 100, 199])
  assert.deepEqual(corrected([200], 100), [100, 200])
  assert.deepEqual(corrected([], 100), [])
})

test('the usual example: 100 s of 100 requests per second, then a pause of 100 s', () => {
  // One connection: 10,000 answers after 1 ms, and one after 100 s. The measured median is 1 ms, and so is the 99.9th percentile.
  const latencies = corrected([...Array.from({ length: 10_000 }, () => 1), 100_000], 10)
  assert.equal(latencies.length, 20_000)
  assert.equal(latencies[Math.ceil(0.75 * latencies.length) - 1], 50_000)
})
