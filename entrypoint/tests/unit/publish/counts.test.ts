/** Counts of instructions that a stranger's job left. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
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
const jobs = (...counts: Count[]) => [{ job: '1', counts: countsCsv(counts) }]

describe('counts of a stranger', () => {
  test('are accepted as measure writes them', () => {
    assert.equal(countsCsv([count()]).split('\n')[1], '1,1,1,page,low,8,base,swoole,300,15706201,52354.00333,valgrind')
    checkCounts(jobs(count(), count({ repetition: 4 })), { instructions: 'auto' })
    checkCounts([{ job: '1', counts: undefined }], { instructions: 'auto' })
    checkCounts(jobs(count()), { instructions: 'valgrind' })
  })

  test('are refused if they are not the configuration’s', () => {
    assert.throws(
      () => checkCounts([{ job: '1', counts: undefined }], { instructions: 'valgrind' }),
      /job 1: missing, expected by the configuration/,
    )
    assert.throws(() => checkCounts(jobs(count()), { instructions: 'off' }), /instructions: off/)
    assert.throws(() => checkCounts(jobs(count({ tool: 'perf' })), { instructions: 'valgrind' }), /counts by perf, expected valgrind/)
  })

  test('are refused if copies narrow an interval', () => {
    assert.throws(() => checkCounts(jobs(count({ repetition: 5 })), { instructions: 'auto' }), /found repetition 5, a job has 4 at most/)
    assert.throws(() => checkCounts(jobs(count({ job: '2' })), { instructions: 'auto' }), /found a count of job 2/)
    const hidden = countsCsv([count()]).replace(/\n$/, '\r1,9,1,page,low,8,base,swoole,1,1,1,valgrind\n')
    assert.throws(() => checkCounts([{ job: '1', counts: hidden }], { instructions: 'auto' }), /found repetition 9/)
  })
})
