/** The number of requests of a count. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestsFor } from '../../../../measure/instructions/count-arm.ts'

test('a count has some 200 million instructions, ends within about a minute, and has at least eight requests', () => {
  assert.equal(requestsFor({ instructions: 2e6, seconds: 0.02 }), 100)
  assert.equal(requestsFor({ instructions: 50_000, seconds: 0.001 }), 400)
  assert.equal(requestsFor({ instructions: 50_000, seconds: 1.5 }), 40)
  assert.equal(requestsFor({ instructions: 2e9, seconds: 15 }), 8)
})
