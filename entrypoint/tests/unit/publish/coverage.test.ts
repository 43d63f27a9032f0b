/** How many cells are gated, and which are not. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseConfig } from '../../../config/schema.ts'
import { COLUMNS } from '../../../measure/samples.ts'
import { checkConditions, coverageOf, type JobText, looksOf, missingBlocks } from '../../../publish/coverage.ts'
import type { TrustedRun } from '../../../publish/untrusted.ts'

const configOf = (more = '') =>
  parseConfig(`modes: [fpm, swoole]\nworkloads: [fibonacci, invoice]\nloads: { low: { concurrency: 4 } }\n${more}`, 'c')
const config = configOf()

type Cells = Partial<Record<(typeof COLUMNS)[number], string>>

/** Every arm of both cells, in as many blocks, with changes. Null leaves a row out. */
function jobOf(change: (row: Cells) => Cells | null = (row) => row, blocks = 10, run: object = {}, job = '1'): JobText {
  const rows: Cells[] = []
  for (let block = 1; block <= blocks; block++)
    for (const workload of ['fibonacci', 'invoice'])
      for (const revision of ['base', 'head'])
        for (const mode of ['fpm', 'swoole'])
          rows.push({ job, block: String(block), workload, load: 'low', concurrency: '4', revision, mode })
  const lines = rows.flatMap((row) => change(row) ?? []).map((row) => COLUMNS.map((column) => row[column] ?? '1').join(','))
  const notes = {
    job,
    looks: 1,
    modes: ['fpm', 'swoole'],
    connections: 16,
    instances: 'pool',
    ungated: [],
    commits: { head: 'h', base: 'b' },
    ...run,
  }
  return { job, samples: [COLUMNS.join(','), ...lines, ''].join('\n'), run: notes as unknown as TrustedRun }
}
const isBaseOfInvoice = ({ workload, revision }: Cells): boolean => workload === 'invoice' && revision === 'base'

describe('what a measurement covers', () => {
  const whole = { cells: { gated: 2, of: 2 }, gaps: [] }
  test('the whole configuration', () => {
    assert.deepEqual(coverageOf([jobOf(), jobOf(undefined, 1, {}, '2')], config), whole)
  })

  for (const [name, change] of [
    ['left out', (row: Cells) => (row.workload === 'invoice' ? null : row)],
    ['without base, as if it were new', (row: Cells) => (isBaseOfInvoice(row) ? null : row)],
    ['without base in one mode', (row: Cells) => (isBaseOfInvoice(row) && row.mode === 'fpm' ? null : row)],
  ] as const) {
    test(`a cell ${name} is missing`, () => {
      assert.deepEqual(coverageOf([jobOf(change)], config), {
        cells: { gated: 1, of: 2 },
        gaps: ['1 of 2 cells gated; not measured for base and head in every mode: invoice/low.'],
      })
    })
  }

  test('a cell that run.json calls redefined does not decide, which is told', () => {
    const ungated = (...names: string[]) => jobOf(undefined, 10, { ungated: names.map((workload) => ({ workload, why: 'redefined' })) })
    assert.deepEqual(coverageOf([ungated('invoice')], config), {
      cells: { gated: 1, of: 2 },
      gaps: ['1 of 2 cells gated; defined differently by base and head: invoice/low.'],
    })
    assert.throws(() => coverageOf([ungated('invoice', 'fibonacci')], config), /0 of 2 cells gated; defined differently/)
  })

  const refused: [string, () => JobText, RegExp][] = [
    [
      'no cell at all',
      () => jobOf((row) => (row.revision === 'base' ? null : row)),
      /0 of 2 cells gated; not measured for base and head in every mode: fibonacci\/low, invoice\/low/,
    ],
    ['a cell that is not configured', () => jobOf((row) => ({ ...row, workload: 'easy' })), /found the cell easy\/low for base and head/],
    ['a load that is not configured', () => jobOf((row) => ({ ...row, load: 'none' })), /found the cell fibonacci\/none/],
    ['another concurrency', () => jobOf((row) => ({ ...row, concurrency: '1' })), /found fibonacci\/low at concurrency 1, expected 4/],
    ['runs of another job', () => jobOf((row) => ({ ...row, job: '2' })), /samples\.csv of job 1: found a run of job 2/],
    [
      'base where there is none',
      () => jobOf(undefined, 10, { commits: { head: 'h', base: null } }),
      /found runs of base, but run\.json names no commit of base/,
    ],
  ]
  for (const [name, job, message] of refused) test(`${name} is refused`, () => assert.throws(() => coverageOf([job()], config), message))

  test('a workload that head brings is no matter of the gate', () => {
    const more = jobOf((row) => ({ ...row, revision: 'head', workload: 'new' }))
    const both = { ...more, samples: jobOf().samples + more.samples.split('\n').slice(1).join('\n') }
    assert.deepEqual(coverageOf([both], config), whole)
  })

  test('conditions are the configuration’s', () => {
    checkConditions([jobOf()], config)
    for (const [run, message] of [
      [{ modes: ['swoole', 'fpm'] }, /modes: found swoole, fpm, expected fpm, swoole, from the configuration of the job that reports/],
      [{ connections: 1 }, /connections: found 1, expected 16/],
      [{ instances: 'shared' }, /instances: found shared, expected pool/],
      [{ job: '2' }, /job: found 2, expected 1 by the name of its artifact/],
    ] as const)
      assert.throws(() => checkConditions([jobOf(undefined, 1, run)], config), message)
  })
})

describe('the plan', () => {
  const one = [jobOf()]
  test('blocks that are missing are told, and too few to gate are refused', () => {
    assert.deepEqual(missingBlocks(10, false, one, config), [])
    assert.deepEqual(missingBlocks(8, false, one, config), ['8 of 10 planned blocks are complete.'])
    assert.throws(() => missingBlocks(5, false, one, config), /5 of 10 planned blocks are complete; below 6 nothing can be gated/)
    assert.deepEqual(missingBlocks(2, false, one, configOf('blocks: 2')), [], 'as it was planned')
    assert.deepEqual(missingBlocks(6, false, one, configOf('profile: quick')), [])
  })

  test('looks are run.json’s only where the configuration leaves them open', () => {
    const claims = (looks: number, blocks: number) => [jobOf(undefined, blocks, { looks })]
    assert.deepEqual([looksOf(claims(1, 10), config), looksOf(claims(2, 10), config)], [1, 2])
    assert.equal(looksOf(claims(1, 20), config), 2, 'extended, so looked at twice')
    assert.equal(looksOf(claims(2, 10), configOf('blocks: 10')), 1)
    assert.equal(looksOf(claims(2, 6), configOf('profile: quick')), 1)
    assert.equal(looksOf([...claims(2, 10), jobOf()], config), 1, 'several jobs are judged together, once')
  })

  test('a second look that was claimed and not taken is told', () => {
    const stopped = [jobOf(undefined, 10, { looks: 2 })]
    assert.match(
      missingBlocks(10, true, stopped, config)[0] ?? '',
      /The first 10 blocks did not decide, but the measurement did not continue/,
    )
    assert.deepEqual(missingBlocks(10, false, stopped, config), [])
  })
})
