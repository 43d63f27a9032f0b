/** The output of a search for loads, and the length of its runs. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseConfig } from '../../../config/parse.ts'
import { frozen, timingAt } from '../../../measure/search-loads.ts'

describe('a search for loads', () => {
  test('is written as part of a configuration', () => {
    const loads = { c16: { concurrency: 16 }, c64: { concurrency: 64 } }
    assert.deepEqual(parseConfig(frozen(loads), 'loads.yml').loads, loads)
  })

  test('takes as long as slow answers need, within its limit', () => {
    assert.deepEqual(timingAt(8, undefined), { warmupS: 0.5, windowS: 1.5, slices: 1, guardS: 0 })
    // 32 connections at 16 requests/s: 2 s for each request.
    assert.deepEqual(timingAt(32, { concurrency: 16, goodput: 16, failed: 0 }), { warmupS: 4, windowS: 8, slices: 1, guardS: 0 })
    assert.equal(timingAt(512, { concurrency: 256, goodput: 1, failed: 0 }).windowS, 10)
  })
})
