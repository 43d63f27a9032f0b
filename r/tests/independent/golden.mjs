// Writes r/tests/fixtures/golden.json: what the steps of docs/method.md give for the golden jobs, computed without r/R.
// node r/tests/independent/golden.mjs [--print]: --print prints it instead.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { above, below } from './estimates.mjs'
import { verdictOf } from './rule.mjs'

const FIXTURES = join(import.meta.dirname, '..', 'fixtures')
const DEFAULTS = {
  'max-regression': 0.05,
  resolution: 0.1,
  'min-gain': null,
  'max-slowdown': null,
  'max-error-rate': 0.001,
  alpha: 0.05,
  'on-sync-improvement': 'warn',
}

/** Each file has a hard feature or two. */
const JOBS = [
  { file: 'gate_pass.csv', looks: 2, look: 2, settings: { 'min-gain': 1 } },
  { file: 'gate_fail_all.csv', looks: 2, look: 2, settings: { 'min-gain': 1 } },
  // CPU time, cells with different numbers of quads, and lost quads: one without a run, one failed, one without CPU time.
  { file: 'gate_dropped.csv', looks: 4, look: 2, settings: { 'max-error-rate': 0.1 } },
  // Neighbouring blocks resemble each other, and one cell is wide.
  { file: 'gate_chain.csv', looks: 4, look: 4 },
  // Two jobs, a faster synchronous mode, a new cell and a redefined workload.
  { file: 'gate_jobs.csv', looks: 1, look: 1, redefined: ['b'], settings: { 'min-gain': { a: 1.2 } } },
]

/** @returns {object[]} rows like those of samples.csv, from the short columns of a fixture */
function rowsOf(file) {
  const [header, ...lines] = readFileSync(join(FIXTURES, file), 'utf8').trim().split('\n')
  const names = header.split(',')
  return lines.map((line) => {
    const values = line.split(',')
    const of = (name) => values[names.indexOf(name)]
    const number = (name, missing) => (of(name) ? Number(of(name)) : missing)
    const [workload, load] = of('cell').split('/')
    return {
      ...{ job: of('job') ?? '1', block: number('block'), attempt: number('attempt', 1), workload, load },
      ...{ revision: of('rev'), mode: of('mode'), goodput_rps: number('x'), requests: 1000, failed: number('failed', 0) },
      ...{ cpu_us_per_request: number('cpu', null), half_ratio: number('half_ratio', null) },
    }
  })
}

function goldenOf({ file, looks, look, redefined = [], settings: given = {} }) {
  const settings = { ...DEFAULTS, ...given }
  const { verdict, open, cells, tests } = verdictOf({ rows: rowsOf(file), modes: ['fpm', 'swoole'], redefined, looks, look, settings })
  const figures = (y) => ({
    ...{ change: Math.exp(y.m), se: y.se, df: y.df },
    ...{ p_fail: below(y, 1 - settings['max-regression']), p_pass: above(y, 1 - settings.resolution) },
  })
  const metrics = tests.map((test) => ({
    cells: cells.map((cell, c) => ({
      ...{ cell, outcome: test.cells[c], correlation: test.ofD.q[c], ...figures(test.ofD.columns[c]) },
      ...{ async_change: Math.exp(test.ofA.columns[c].m), async_se: test.ofA.columns[c].se },
    })),
    table: { outcome: test.whole, ...figures(test.ofD.whole) },
  }))
  return { file, looks, look, redefined, settings, verdict, open: open.toSorted(), metrics }
}

const text = `${JSON.stringify(JOBS.map(goldenOf), null, 2)}\n`
if (process.argv[2] === '--print') process.stdout.write(text)
else writeFileSync(join(FIXTURES, 'golden.json'), text)
