/** samples.csv: how its numbers are written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sample } from '../../../measure/samples.ts'
import { samplesCsv } from '../../../measure/samples.ts'

test('samples.csv has ten digits, and empty fields for missing values', () => {
  const sample = {
    job: '1',
    block: 1,
    position: 2,
    workload: 'a',
    load: 'b',
    concurrency: 8,
    revision: 'head',
    mode: 'fpm',
    started_at: 't',
    duration_s: 2,
    requests: 3,
    succeeded: 3,
    failed: 0,
    goodput_rps: 1 / 3,
    p50_ms: null,
    p95_ms: null,
    p99_ms: null,
    max_ms: null,
    cpu_us_per_request: 123456789.123,
    peak_memory_mib: 1e-7,
    memory_growth_kib_per_1k: -0.5,
    half_ratio: null,
    attempt: 1,
  } satisfies Sample
  assert.equal(samplesCsv([sample]).split('\n')[1], '1,1,2,a,b,8,head,fpm,t,2,3,3,0,0.3333333333,,,,,123456789.1,1e-7,-0.5,,1')
})
