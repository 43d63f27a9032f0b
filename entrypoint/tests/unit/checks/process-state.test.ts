/** State that a request has left behind in the process, by name. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedState } from '../../../checks/process-state.ts'

const before = { 'time zone': 'UTC', 'output buffers': 1, 'setting precision': '14', 'setting memory_limit': '1G' }

test('the names of differing values are shown, without the values', () => {
  assert.equal(changedState(before, before), undefined)
  assert.equal(changedState(before, { ...before, 'time zone': 'Asia/Tokyo' }), 'time zone')
  assert.equal(changedState(before, {}), 'time zone, output buffers, setting precision and 1 more')
})
