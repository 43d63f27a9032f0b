/** `report` on artifacts that a stranger may have written: each is refused by name, and nothing in it is obeyed. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { strToU8 } from 'fflate'
import { archive } from '../../archive.ts'
import { at, replaced, samples } from '../recorded.ts'
import { type Files, isRefused, OWN, startReporting } from './reporting.ts'

const { commits, data, misfit, ended, report } = await startReporting()

describe('an artifact', () => {
  const csv = samples()
  const hostile: [string, () => Files, RegExp][] = [
    ['without samples', () => ({ 'other.txt': strToU8('x') }), /has no samples\.csv/],
    [
      'with a path outside of its folder',
      () => ({ '../../samples.csv': strToU8(csv), '/etc/samples.csv': strToU8('x') }),
      /has no samples\.csv/,
    ],
    ['with a script as a name', () => data(csv.replaceAll(',fibonacci,', ',<script>alert(1)</script>,')), /column workload: found/],
    ['with a mention as a job', () => data(csv.replaceAll('\n1,', '\n@everyone,')), /column job: found/],
    ['with modes that nobody asked for', () => data(csv.replaceAll(',fibers,', ',swoole,')), /found "swoole", allowed: fpm, fibers/],
    [
      "that is larger than any job's",
      () => ({ 'samples.csv': new Uint8Array(2 ** 24 + 1) }),
      /samples\.csv declares 16777217 bytes, at most 16777216 are read/,
    ],
    ['that is not text', () => ({ ...data(), 'samples.csv': new Uint8Array(5000).fill(255) }), /samples\.csv/],
    ['without a run.json', () => ({ 'samples.csv': strToU8(csv) }), /run\.json of artifact 1: missing/],
    [
      'with text in its run.json',
      () => data(csv, { job: '<img src=x onerror=alert(1)> @everyone' }),
      /run\.json of artifact 1: not what measure writes/,
    ],
  ]
  for (const [name, files, message] of hostile) {
    test(`${name} is refused, and harmless`, async () => {
      const done = await report(files())
      isRefused(done, message)
      const outside = (done.comments[0] ?? '').replace(/~~~text[\s\S]*~~~/, '')
      assert.doesNotMatch(outside, /<script>|@everyone|onerror/)
      assert.ok(!existsSync(join(done.temp, 'samples.csv')))
    })
  }
})

describe('a name or number from a stranger', () => {
  test('does not choose the job, whatever its artifacts are called', async () => {
    for (const job of ['../../etc', 'x\u0085::error::x', '1 ', '__proto__', '']) {
      const done = await report({}, { jobs: { [job]: data() } })
      isRefused(done, /run\.json of job 1: job: found 1, expected/)
      assert.doesNotMatch(done.log, /^\s*::error::x/m)
    }
  })
  test('makes the verdict invalid if it is out of range', async () => {
    for (const [column, text] of [
      ['goodput_rps', '1e309'],
      ['requests', '1e300'],
      ['block', '99999999999999999999'],
      ['cpu_us_per_request', '0x10'],
    ] as const) {
      const csv = samples((row) => [row[at('revision')] === 'head' ? replaced(row, column, text) : row])
      const done = await report(data(csv), { from: OWN })
      assert.deepEqual([done.checks[0]?.conclusion, done.code], ['failure', 1], `${column} ${text}: ${done.log}`)
    }
    isRefused(await report(data(samples(), { plan: { blocks: 1e300, runs: 1e300, cells: [] }, looks: 1e9 })), /run\.json/)
  })
  test('chooses neither branch nor event', async () => {
    for (const [odd, ends] of [
      [{ head_branch: null }, /No open pull request has the head/],
      [{ head_branch: 'topic&state=closed' }, /No open pull request has the head/],
      [{ head_sha: `${commits.head}\n` }, /names no run and no commit/],
      [{ id: '1/../2' }, /names no run and no commit/],
    ] as const) {
      const { log, checks } = await report(misfit(), { from: OWN, payload: ended({ head_repository: OWN, ...odd }) })
      assert.match(log, ends)
      assert.deepEqual(checks, [])
    }
  })
})

describe('an archive that would fill the machine', () => {
  const bomb = Buffer.alloc(2 ** 24)
  const name = 'samples.csv'
  for (const [what, zip, message] of [
    [
      'with 40 entries of one name over one stream',
      () => archive(Array.from({ length: 40 }, (_, i) => ({ name, data: bomb, ...(i ? { isGhost: true, says: { offset: 0 } } : {}) }))),
      /samples\.csv occurs twice/,
    ],
    [
      'with two entries of one name',
      () => archive([0, 1].map((i) => ({ name, data: bomb, ...(i ? { isGhost: true, says: { offset: 0 } } : {}) }))),
      /samples\.csv occurs twice/,
    ],
    [
      'that holds more than it declares',
      () => archive([{ name, data: bomb, says: { size: 10 } }]),
      /holds more than the declared 10 bytes/,
    ],
  ] as const) {
    test(`${what} is refused at once`, async () => {
      const done = await report({}, { jobs: { '1': zip() } })
      isRefused(done, message)
    })
  }
  test('in a hundred artifacts is refused because they are too many', async () => {
    const zip = archive([{ name, data: bomb }])
    const done = await report({}, { jobs: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [String(i), zip])) })
    isRefused(done, /artifacts/)
  })
})
