// The verdict by docs/method.md, "The rule, step by step". Written from that text, and not from r/R.
import { headsAtLeast, holm } from './distributions.mjs'
import { above, below, centres, columnOf, mean, ofColumn, present } from './estimates.mjs'
import { isMeasured, quadsOf, tableOf } from './quads.mjs'

/**
 * The verdict, and the cells that are open (step 17). If the tests decide: the gated cells and the test of each metric.
 *
 * @param job {rows, modes, redefined, looks, look, settings} with the settings' names of docs/method.md, as shares
 */
export function verdictOf({ rows, modes, redefined, looks, look, settings }) {
  const design = quadsOf(rows, modes, redefined)
  const hasSeveralJobs = new Set(rows.map(({ job }) => job)).size > 1
  const L = hasSeveralJobs ? 1 : looks
  const early = beforeTheTests(design, settings, L)
  if (early) return { verdict: early.verdict, open: early.waits ? design.gated : [] }
  return byTests(design, settings, levelsOf(settings.alpha, L, look))
}

/** The levels of a loss and of a pass. */
function levelsOf(alpha, looks, look) {
  if (looks !== 4) return { loss: alpha / looks, pass: alpha / looks }
  return { loss: alpha * [0.027, 0.098, 0.296875, 0.578125][look - 1], pass: alpha * [0.15, 0.25, 0.25, 0.35][look - 1] }
}

/** Steps 4 to 6: the verdict, and whether it waits for more quads; undefined if the tests decide. */
function beforeTheTests(design, settings, looks) {
  const found = faultsOf(design, settings, looks)
  const [first] = found
  return first && { verdict: first.verdict, waits: first.ofQuads && found.every(({ step, ofQuads }) => step > first.step || ofQuads) }
}

function faultsOf(design, settings, looks) {
  const { quads, gated, hasBase, modes, isComparable } = design
  const share = (some) => some.filter(({ isLost }) => isLost).length / some.filter(({ isAbsent }) => !isAbsent).length
  const ofCell = (c) => quads.map((row) => row[c])
  const tooManyLost = share(quads.flat()) > 0.1 || gated.some((_, c) => share(ofCell(c)) > 0.2)
  const isHigh = errorRates(design, settings['max-error-rate'])
  const arms = [...isHigh.keys()].map((key) => key.split(' '))
  const isBaseHigh = arms.some(([revision, ...rest]) => revision === 'base' && isHigh.get(['base', ...rest].join(' ')))
  const headAlone = ([revision, ...rest]) =>
    revision === 'head' && isHigh.get(['head', ...rest].join(' ')) && !isHigh.get(['base', ...rest].join(' '))
  const hasHeadErrors = arms.some(headAlone) || (hasBase && errorsRose(design, looks === 4 ? 0.005 : 0.01))
  const fewest = Math.min(...gated.map((_, c) => ofCell(c).filter(({ isComplete }) => isComplete).length))
  const asksNothing = !hasBase && settings['min-gain'] === null
  const faults = [
    { step: 4, verdict: 'invalid', holds: tooManyLost, ofQuads: true },
    { step: 4, verdict: 'invalid', holds: isBaseHigh },
    { step: 5, verdict: hasBase ? 'regressed' : 'invalid', holds: hasHeadErrors },
    { step: 6, verdict: 'not-gated', holds: fewest < 6, ofQuads: true },
    { step: 6, verdict: 'not-gated', holds: modes.length < 2 || !isComparable || asksNothing },
  ]
  return faults.filter(({ holds }) => holds)
}

function grouped(rows, keyOf) {
  const groups = new Map()
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  return groups
}

function errorRates({ rows }, limit) {
  const arms = grouped(rows, ({ revision, mode, cell }) => [revision, mode, cell].join(' '))
  return new Map(
    [...arms].map(([key, runs]) => {
      const sum = (name) => runs.reduce((total, run) => total + run[name], 0)
      const ofRuns = runs.filter(({ goodput_rps }) => goodput_rps === 0).length / runs.length
      return [key, Math.max(sum('failed') / Math.max(1, sum('requests')), ofRuns) > limit]
    }),
  )
}

function errorsRose({ rows }, level) {
  const pairs = grouped(rows, ({ job, block, cell, mode }) => [job, block, cell, mode].join(' '))
  let [inHead, inBase] = [0, 0]
  for (const runs of pairs.values()) {
    const head = runs.find(({ revision }) => revision === 'head')
    const base = runs.find(({ revision }) => revision === 'base')
    if (!head || !base) continue
    if (head.failed > 0 && base.failed === 0) inHead++
    if (head.failed === 0 && base.failed > 0) inBase++
  }
  return inHead + inBase > 0 && headsAtLeast(inHead, inHead + inBase) < level
}

/** Steps 7 to 17. */
function byTests(design, settings, levels) {
  const [sync, async] = design.modes
  const used = design.quads
    .flat()
    .filter(({ isComplete }) => isComplete)
    .flatMap(({ arms }) => arms.map(({ row }) => row))
  const goodput = (row) => row.goodput_rps
  const cpu = (row) => 1 / row.cpu_us_per_request
  const metrics = used.every((row) => isMeasured(row.cpu_us_per_request)) ? [goodput, cpu] : [goodput]
  const log = (x, row) => Math.log(x(row))
  const moved = (x, mode) => (row) => log(x, row('head', mode)) - log(x, row('base', mode))
  const tests = design.hasBase
    ? metrics.map((x) => {
        const A = tableOf(design, moved(x, async))
        const S = tableOf(design, moved(x, sync))
        const d = tableOf(design, (row) => moved(x, async)(row) - moved(x, sync)(row))
        return { d, A, S, ...ofChange(d, A, S, settings, levels.pass, levels.loss / metrics.length / 2) }
      })
    : []
  const gains = gainTest(design, settings, levels, (row) => log(goodput, row('head', async)) - log(goodput, row('head', sync)))
  const isSlower = settings['max-slowdown'] !== null && tests.length > 0 && slower(tests[0], 1 - settings['max-slowdown'], levels.loss)
  const tested = { cells: design.gated, tests }
  if (tests.some(({ regressed }) => regressed) || gains.missed || isSlower) return { verdict: 'regressed', open: [], ...tested }
  const doubts = doubtsOf(design, tests, gains, settings, levels.pass)
  const verdict = doubts.cells.some(Boolean) || doubts.all ? 'inconclusive' : 'pass'
  return { verdict, open: openCells(design, tests, doubts, settings), ...tested }
}

/** Step 17. */
function openCells({ gated }, [, cpu], doubts, settings) {
  const least = 1 - settings.resolution
  const mayLoseCpu = (c) => cpu !== undefined && cpu.cells[c] !== 'spared' && !(above(cpu.ofD.columns[c], least) < settings.alpha)
  const open = gated.filter((_, c) => doubts.cells[c] || mayLoseCpu(c))
  return open.length === 0 && doubts.all ? gated : open
}

/** Step 16: what keeps each cell from a pass, and what keeps all of them. */
function doubtsOf(design, tests, gains, settings, level) {
  const [goodput] = tests
  const unsteady = goodput ? unsteadyCells(design, settings) : []
  const asked = design.gated.map((_, c) => goodput !== undefined && !['spared', 'unclear'].includes(goodput.cells[c]))
  const least = 1 - settings.resolution
  const plain = design.gated.map((_, c) => (goodput ? mean(present(columnOf(goodput.d, c))) : 0))
  const cells = design.gated.map(
    (_, c) =>
      tests.some((test) => test.cells[c] === 'unclear') ||
      (asked[c] && (!(above(goodput.ofD.columns[c], least) < level) || plain[c] < Math.log(least))) ||
      gains.open.includes(c) ||
      unsteady.includes(c),
  )
  const isSpread = asked.every(Boolean) && mean(plain) < Math.log(1 - settings.resolution / 2)
  return { cells, all: isSpread || (cells.length > 1 && tests.some(({ whole }) => whole === 'unclear')) }
}

/** Step 12, for one metric. */
function ofChange(d, A, S, settings, pass, level) {
  const f = 1 - settings['max-regression']
  const [ofD, ofA, ofS] = [d, A, S].map(centres)
  const asks = settings['on-sync-improvement'] === 'warn'
  const judge = (p, async, sync) => {
    const lost = holm(async.map((y) => below(y, f)))
    return holm(p).map((value, c) => {
      if (!(value < level)) return 'held'
      if (asks && above(async[c], f) < pass) return 'spared'
      return asks && above(sync[c], 1) < pass && !(lost[c] < level) ? 'unclear' : 'regressed'
    })
  }
  const cells = judge(
    ofD.columns.map((y) => below(y, f)),
    ofA.columns,
    ofS.columns,
  )
  const [whole] = judge([below(ofD.whole, f)], [ofA.whole], [ofS.whole])
  return {
    cells,
    whole,
    ofD,
    ofA,
    ofS,
    regressed: whole === 'regressed' || cells.includes('regressed'),
  }
}

/** Step 13. */
function slower({ ofA, ofS }, bound, a) {
  return holm([...ofS.columns, ...ofA.columns].map((y) => below(y, bound))).some((p) => p < a)
}

/** Step 14. */
function gainTest(design, settings, { loss, pass }, gain) {
  const wanted = settings['min-gain']
  if (wanted === null) return { missed: false, open: [] }
  const ofCell = (cell) => (typeof wanted === 'number' ? wanted : wanted[cell.replace(/\/[^/]*$/, '')])
  const cells = design.gated.map((cell, c) => ({ c, least: ofCell(cell) })).filter(({ least }) => least !== undefined)
  const { columns } = centres(tableOf(design, gain))
  return {
    missed: holm(cells.map(({ c, least }) => below(columns[c], least))).some((p) => p < loss),
    open: cells.filter(({ c, least }) => !(above(columns[c], least) < pass)).map(({ c }) => c),
  }
}

/** Columns in which a steady state is broken. */
function unsteadyCells(design, settings) {
  const allowed = settings.resolution / 2
  const within = (ratio) => Math.log(Math.min(Math.max(ratio, 0.001), 1000))
  const shift = (mode) => (row) => {
    const [head, base] = [row('head', mode), row('base', mode)].map(({ half_ratio }) => half_ratio)
    return head === null || base === null ? null : within(head) - within(base)
  }
  const p = design.modes.slice(0, 2).flatMap((mode) => {
    const table = tableOf(design, shift(mode))
    return design.gated.map((_, c) => {
      const values = present(columnOf(table, c))
      if (values.length < 3) return 1
      const y = ofColumn(values)
      return Math.min(above(y, 1 + allowed), below(y, 1 - allowed))
    })
  })
  const cells = design.gated.length
  return holm(p).flatMap((value, i) => (value < 0.05 ? [i % cells] : []))
}
