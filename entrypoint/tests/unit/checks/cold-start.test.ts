/** A start is slow, or a first answer late, if it is so in each start and by far. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Start, startOf } from '../../../checks/cold-start.ts'

const starts = (...each: [ready: number, first: number, hundredth: number][]): Start[] =>
  each.map(([readyMs, firstMs, hundredthMs]) => ({ readyMs, firstMs, hundredthMs }))
const normal = starts([200, 12, 2], [250, 11, 2], [220, 30, 3])

test('a normal start has held, with its figures', () => {
  assert.deepEqual(startOf(normal, normal), {
    state: 'held',
    sentence: 'ready after 200 ms, first answer after 11 ms, hundredth after 2.0 ms',
  })
})
test("a start that is slower than base's is broken, one slow start of three is not", () => {
  const slow = starts([1200, 12, 2], [1300, 11, 2], [1250, 30, 3])
  assert.equal(startOf(slow, normal).sentence, 'it is ready after 1200 ms, base after 200 ms')
  assert.equal(startOf(slow, slow).state, 'held')
  assert.equal(startOf(slow, undefined).state, 'held')
  assert.equal(startOf(starts([1200, 12, 2], [1300, 11, 2], [240, 30, 3]), normal).state, 'held')
})
test('a first answer that is late each time is broken, whatever base does', () => {
  const late = starts([200, 700, 2], [250, 800, 2], [220, 600, 3])
  assert.equal(startOf(late, late).sentence, 'its first answer takes 600 ms, its hundredth 2.0 ms')
  assert.equal(startOf(starts([200, 700, 2], [250, 12, 2], [220, 600, 3]), undefined).state, 'held')
  assert.equal(startOf(starts([200, 700, 400], [250, 700, 400], [220, 700, 400]), undefined).state, 'held')
})
