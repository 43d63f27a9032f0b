/** `report` on artifacts that measured too little, too much, the same twice, or under other conditions. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { at, atRate, isJudged, type Row, recorded, replaced, samples } from '../recorded.ts'
import { CONFIG, type Files, isRefused, MISFIT, OWN, startReporting } from './reporting.ts'

const { data, report } = await startReporting()

describe('how much was measured', () => {
  /** Artifacts of so many jobs, from the same recording. */
  const jobsOf = (count: number, change: (row: Row, job: number) => Row[]): Record<string, Files> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => i + 1).map((job) => [
        String(job),
        data(
          samples((row) => change(row, job).map((made) => replaced(made, 'job', String(job)))),
          { job: String(job) },
        ),
      ]),
    )
  /** Other latencies. */
  const jittered = (row: Row, by = 1): Row => replaced(row, 'max_ms', String(Number(row[at('max_ms')]) + by / 1e5))
  const asInvoice = (row: Row): Row => replaced(row, 'workload', 'invoice')

  for (const [name, more, message] of [
    ['modes', { modes: ['fibers', 'fpm'] }, /modes: found fibers, fpm, expected fpm, fibers/],
    ['connections', { connections: 1 }, MISFIT],
    ['instances', { instances: 'shared' }, /instances: found shared, expected pool/],
  ] as const) {
    test(`is invalid under other ${name}`, async () => {
      isRefused(await report(data(samples(), more), { from: OWN }), message)
    })
  }

  test('is invalid with cells that dilute a loss, and no other result remains', async () => {
    const done = await report(data(samples((row) => [isJudged(row) ? atRate(row, 0.6) : row, asInvoice(row)])), { from: OWN })
    isRefused(done, /found the cell invoice\/high for base and head, expected fibonacci\/high/)
    assert.ok(!existsSync(join(done.temp, 'async-php-bench-results', 'analysis.json')))
  })

  test('is invalid with copies of blocks under new numbers', async () => {
    const copied = samples((row) => [row, replaced(row, 'block', String(Number(row[at('block')]) + 20))])
    isRefused(await report(data(copied), { from: OWN }), /found block \d+, a job has 20 at most/)
  })

  test('includes rows after a carriage return, where R ends a line', async () => {
    const csv = samples((row) => [row, replaced(jittered(row), 'block', String(Number(row[at('block')]) + 20))])
    const [first = '', ...rows] = csv.trimEnd().split('\n')
    const hidden = rows.map((line, i) => (i === 0 || Number(line.split(',')[at('block')]) > 20 ? line : `\n${line}`)).join('\r')
    isRefused(await report(data(`${first}\n${hidden.replaceAll('\r\n', '\n')}\n`), { from: OWN }), /found block \d+, a job has 20 at most/)
  })

  const copies: [string, () => Record<string, Files>][] = [
    ['one job under five names', () => jobsOf(5, (row) => [row])],
    [
      'the blocks of one job in another order in the next',
      () => jobsOf(2, (row, n) => [replaced(row, 'block', String(n === 1 ? row[at('block')] : 11 - Number(row[at('block')])))]),
    ],
    [
      'copies of blocks under free numbers of the same job',
      () => jobsOf(1, (row) => [row, replaced(row, 'block', String(Number(row[at('block')]) + 10))]),
    ],
    [
      'the runs of base as those of head',
      () => {
        const ofBase = new Map(recorded.map((row) => [['block', 'revision', 'mode'].map((c) => row[at(c as 'block')]).join(), row]))
        return jobsOf(1, (row) => {
          if (row[at('revision')] === 'base') return [row]
          const copied = ofBase.get([row[at('block')], 'base', row[at('mode')]].join()) as Row
          return [replaced(replaced(copied, 'revision', 'head'), 'position', row[at('position')] as string)]
        })
      },
    ],
    ['slightly changed rates beside the same latencies', () => jobsOf(8, (row, n) => [atRate(row, 1 + n / 1000)])],
  ]
  for (const [name, jobs] of copies) {
    test(`is invalid with ${name}`, async () => {
      isRefused(await report({}, { from: OWN, jobs: jobs() }), /found the numbers of job 1, block \d+, .* to the last digit/)
    })
  }

  test('may be invented for a fork, so its check is not green', async () => {
    const done = await report({}, { jobs: jobsOf(8, (row, n) => [jittered(atRate(row, 1 + n / 1000), n)]) })
    assert.match(done.comments[0] ?? done.log, /Pass/)
    assert.deepEqual([done.checks[0]?.conclusion, done.checks.length], ['action_required', 1])
    assert.match(done.checks[0]?.output.title ?? '', /^pass; not verified: /)
  })

  test('names missing cells and blocks in title and comment, and the check is no success', async () => {
    const rows = samples((row) => (row[at('revision')] === 'head' ? [row, asInvoice(jittered(row))] : [row]), 8)
    const done = await report(data(rows), { from: OWN, config: CONFIG.replace('fibonacci', 'fibonacci, invoice') })
    assert.match(
      done.checks[0]?.output.title ?? done.log,
      /^\w+: 1 of 2 cells gated; not measured for base and head in every mode: invoice\/high\./,
    )
    assert.match(done.comments[0] ?? '', /run:\d+ -->\n> \*\*1 of 2 cells gated[^\n]*\n>\n> \*\*8 of 10 planned blocks are complete\.\*\*/)
    assert.equal(done.checks[0]?.conclusion, 'neutral')
  })
})
