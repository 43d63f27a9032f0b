/** Whether waits overlap, from the wait that remains with eight requests at a time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overlapOf } from '../../../checks/blocking.ts'

test('waits that do not shrink are blocked, and shrinking waits overlap', () => {
  assert.equal(overlapOf([{ aloneMs: 10, togetherMs: 10 }]).state, 'broken')
  assert.equal(overlapOf([{ aloneMs: 10, togetherMs: 1.2 }]).state, 'held')
  assert.equal(
    overlapOf([{ aloneMs: 10, togetherMs: 9.9 }]).sentence,
    'its waiting does not overlap: one request at a time waits 10.0 ms, 8 at a time 9.9 ms each',
  )
})
test('the best of several tries counts', () => {
  assert.equal(
    overlapOf([
      { aloneMs: 10, togetherMs: 9 },
      { aloneMs: 10, togetherMs: 2 },
    ]).state,
    'held',
  )
})
test('a route that hardly waits is not blocked', () => {
  assert.deepEqual(overlapOf([{ aloneMs: 0.4, togetherMs: 0.3 }]), { state: 'held', sentence: 'it hardly waits' })
  assert.equal(overlapOf([{ aloneMs: 1.5, togetherMs: 0.9 }]).state, 'held')
})
