/** R's result is read, and what is wrong with another file is named. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readAnalysis } from '../../../analyse/analyse.ts'
import { scratch } from '../../../system/scratch.ts'

const file = join(scratch(), 'analysis.json')
const nothing = { change: null, change_low: null, change_high: null, p_fail: null, mde90: null }
const some = { schema: 1, verdict: 'not-gated', reasons: [], cells: [], pooled: nothing, blocks: 1, looks: 1 }

test('without a tested metric, metrics is an object without keys, and nothing else', () => {
  writeFileSync(file, JSON.stringify({ ...some, metrics: {} }))
  assert.deepEqual(readAnalysis(file).metrics, {})
  writeFileSync(file, JSON.stringify({ ...some, metrics: [] }))
  assert.throws(() => readAnalysis(file), /analysis\.json: not an analysis: metrics: Invalid input/)
})
test('counts of instructions are read', () => {
  const cells = [{ workload: 'a', load: 'low', change: 0.5, verdict: 'regressed' }]
  writeFileSync(file, JSON.stringify({ ...some, metrics: { goodput: {}, instructions: { cells } } }))
  assert.deepEqual(readAnalysis(file).metrics.instructions?.cells, cells)
})
test('the wrong place of another file is named', () => {
  writeFileSync(file, JSON.stringify({ ...some, metrics: [1], pooled: nothing }))
  assert.throws(() => readAnalysis(file), /analysis\.json: not an analysis: metrics: Invalid input/)
  writeFileSync(file, 'no JSON')
  assert.throws(() => readAnalysis(file), /analysis\.json: not an analysis: .*JSON/)
})
