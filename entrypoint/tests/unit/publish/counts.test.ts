/** Counts of instructions that a stranger's job left. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Config } from '../../../config/schema.ts'
import { type Count, countsCsv } from '../../../measure/instructions/counts.ts'
import { checkCounts } from '../../../publish/counts.ts'

const count = (changed: Partial<Count> = {}): Count => ({
  job: '1',
  repetition: 1,
  position: 1,
  workload: 'page',
  load: 'low',
  concurrency: 8,
  revision: 'base',
  mode: 'swoole',
  requests: 300,
  instructions: 15_706_201,
  instructions_per_request: 15_706_201 / 300,
  tool: 'valgrind',
  ...changed,
})
const rules = (instructions: Config['instructions'], profile: Config['profile'] = 'full') => ({ instructions, profile })
const jobs = (...counts: Count[]) => [{ job: '1', counts: countsCsv(counts) }]

describe('counts of a stranger', () => {
  test('are accepted as measure writes them', () => {
    assert.equal(countsCsv([count()]).split('\n')[1], '1,1,1,page,low,8,base,swoole,300,15706201,52354.00333,valgrind')
    checkCounts(jobs(count(), count({ repetition: 4 })), rules('auto'))
    checkCounts([{ job: '1', counts: undefined }], rules('auto'))
    checkCounts(jobs(count()), rules('valgrind'))
  })

  test('are refused if they are not the configuration’s', () => {
    assert.throws(() => checkCounts([{ job: '1', counts: undefined }], rules('valgrind')), /job 1: missing, expected by the configuration/)
    assert.throws(
      () => checkCounts([{ job: '1', counts: undefined }], rules('auto', 'work')),
      /missing, expected by the configuration \(profile: work\)/,
    )
    assert.throws(() => checkCounts(jobs(count()), rules('off')), /instructions: off/)
    assert.throws(() => checkCounts(jobs(count({ tool: 'perf' })), rules('valgrind')), /counts by perf, expected valgrind/)
  })

  test('are refused if copies narrow an interval', () => {
    assert.throws(() => checkCounts(jobs(count({ repetition: 5 })), rules('auto')), /found repetition 5, a job has 4 at most/)
    assert.throws(() => checkCounts(jobs(count({ job: '2' })), rules('auto')), /found a count of job 2/)
    const hidden = countsCsv([count()]).replace(/\n$/, '\r1,9,1,page,low,8,base,swoole,1,1,1,valgrind\n')
    assert.throws(() => checkCounts([{ job: '1', counts: hidden }], rules('auto')), /found repetition 9/)
  })
})
