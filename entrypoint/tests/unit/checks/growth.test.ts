/** R's estimates in words, and the place of the memory. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inWords, type Series } from '../../../checks/growth.ts'

const series = (more: Partial<Series> = {}): Series => ({ requests: [4000, 5500], heap: [], whole: [], coroutines: 0, timers: 0, ...more })
const interval = (estimate: number, grows: boolean) => ({ estimate, low: estimate - 5, high: estimate + 5, grows })

test('memory that does not grow has held, with what was estimated', () => {
  const found = inWords(series(), { heap: interval(-0.2, false), whole: interval(3, false) })
  assert.equal(found.state, 'held')
  assert.equal(found.sentence, 'memory grows by 0 KiB per 1,000 requests (95 % CI -5 to 5) over 9,500 requests')
})
test('the place of a leak is named', () => {
  const inPhp = inWords(series({ coroutines: 7 }), { heap: interval(1200, true), whole: interval(1300, true) })
  assert.match(inPhp.sentence, /^memory grows by 1,200 KiB .* over 9,500 requests, in PHP's own memory; Swoole has 7 more coroutines$/)
  const outside = inWords(series(), { heap: interval(0, false), whole: interval(1300, true) })
  assert.match(outside.sentence, /^memory grows by 1,300 KiB .*, outside of PHP's own memory, so in an extension or in the server$/)
  assert.deepEqual(outside.figure, { estimate: 1300, low: 1295, high: 1305 })
})
test('too few slices are not judged', () => {
  assert.equal(inWords(series(), { heap: null, whole: null }).state, 'not-checked')
})
