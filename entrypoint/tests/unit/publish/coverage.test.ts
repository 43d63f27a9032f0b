/** How many cells are gated, and which are not. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { countsCsv } from '../../../measure/instructions/counts.ts'
import { COLUMNS } from '../../../measure/samples.ts'
import { checkConditions, coverageOf, type JobText } from '../../../publish/coverage.ts'
import { missingBlocks } from '../../../publish/schedule.ts'
import { type Cells, config, configOf, jobOf } from './job-of.ts'

const isBaseOfInvoice = ({ workload, revision }: Cells): boolean => workload === 'invoice' && revision === 'base'

describe('the coverage of a measurement', () => {
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

  test('a cell that run.json calls redefined does not decide, and is reported', () => {
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

  test('a workload that only head has is not gated', () => {
    const more = jobOf((row) => ({ ...row, revision: 'head', workload: 'new' }))
    const both = { ...more, samples: jobOf().samples + more.samples.split('\n').slice(1).join('\n') }
    assert.deepEqual(coverageOf([both], config), whole)
  })

  describe('of counts alone', () => {
    const work = configOf('profile: work\n')
    const counted = (workloads: string[], concurrency = 4): JobText => {
      const counts = workloads.flatMap((workload) =>
        (['base', 'head'] as const).flatMap((revision) =>
          ['fpm', 'swoole'].map((mode) => ({
            ...{ job: '1', repetition: 1, position: 1, workload, load: 'low', concurrency: mode === 'fpm' ? 1 : concurrency },
            ...{ revision, mode, requests: 8, instructions: 80, instructions_per_request: 10, tool: 'valgrind' as const },
          })),
        ),
      )
      return { ...jobOf(), samples: `${COLUMNS.join(',')}\n`, counts: countsCsv(counts) }
    }
    test('is that of the counts, and no block is missing', () => {
      const all = [counted(['fibonacci', 'invoice'])]
      assert.deepEqual(coverageOf(all, work), whole)
      assert.deepEqual(missingBlocks(0, false, all, work), [])
    })
    test('says what is missing, and refuses what cannot be', () => {
      assert.deepEqual(coverageOf([counted(['fibonacci'])], work).gaps, [
        '1 of 2 cells gated; not measured for base and head in every mode: invoice/low.',
      ])
      assert.throws(() => coverageOf([counted([])], work), /^MeasurementError: instructions\.csv: 0 of 2 cells gated/)
      assert.throws(() => coverageOf([counted(['fibonacci', 'invoice'], 2)], work), /found fibonacci\/low at concurrency 2, expected 4/)
      assert.throws(() => coverageOf([jobOf()], work), /samples\.csv of job 1: found runs, but the configuration has profile: work/)
      // Counts do not stand in for the runs of another profile.
      assert.throws(() => coverageOf([counted(['fibonacci', 'invoice'])], config), /samples\.csv: 0 of 2 cells gated/)
    })
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
