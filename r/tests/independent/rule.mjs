// The verdict by docs/method.md, "The rule, step by step". Written from that text, and not from r/R.
import { headsAtLeast, holm } from './distributions.mjs'
import { above, below, centres, columnOf, mean, ofColumn, present } from './estimates.mjs'
import { isMeasured, quadsOf, tableOf } from './quads.mjs'

/** @param job {rows, modes, redefined, looks, settings} with the settings' names of docs/method.md, as shares */
export function verdictOf({ rows, modes, redefined, looks, settings }) {
  const design = quadsOf(rows, modes, redefined)
  const early = beforeTheTests(design, settings)
  return early ?? byTests(design, settings, settings.alpha / (new Set(rows.map(({ job }) => job)).size > 1 ? 1 : looks))
}

/** Steps 4 to 6; undefined if the tests decide. */
function beforeTheTests(design, settings) {
  const { quads, gated, hasBase, modes, isComparable } = design
  const share = (some) => some.filter(({ isLost }) => isLost).length / some.length
  const ofCell = (c) => quads.map((row) => row[c])
  if (share(quads.flat()) > 0.1 || gated.some((_, c) => share(ofCell(c)) > 0.2)) return 'invalid'
  const isHigh = errorRates(design, settings['max-error-rate'])
  const arms = [...isHigh.keys()].map((key) => key.split(' '))
  if (arms.some(([revision, ...rest]) => revision === 'base' && isHigh.get(['base', ...rest].join(' ')))) return 'invalid'
  const headAlone = ([revision, ...rest]) =>
    revision === 'head' && isHigh.get(['head', ...rest].join(' ')) && !isHigh.get(['base', ...rest].join(' '))
  if (arms.some(headAlone)) return hasBase ? 'regressed' : 'invalid'
  if (hasBase && errorsRose(design)) return 'regressed'
  const fewest = Math.min(...gated.map((_, c) => ofCell(c).filter(({ isComplete }) => isComplete).length))
  const asksNothing = !hasBase && settings['min-gain'] === null
  return modes.length < 2 || !isComparable || fewest < 6 || asksNothing ? 'not-gated' : undefined
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

function errorsRose({ rows }) {
  const pairs = grouped(rows, ({ job, block, cell, mode }) => [job, block, cell, mode].join(' '))
  let [inHead, inBase] = [0, 0]
  for (const runs of pairs.values()) {
    const head = runs.find(({ revision }) => revision === 'head')
    const base = runs.find(({ revision }) => revision === 'base')
    if (!head || !base) continue
    if (head.failed > 0 && base.failed === 0) inHead++
    if (head.failed === 0 && base.failed > 0) inBase++
  }
  return inHead + inBase > 0 && headsAtLeast(inHead, inHead + inBase) < 0.01
}

/** Steps 7 to 16. */
function byTests(design, settings, a) {
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
        return { d, A, S, ...ofChange(d, A, S, settings, a, a / metrics.length / 2) }
      })
    : []
  const gains = gainTest(design, settings, a, (row) => log(goodput, row('head', async)) - log(goodput, row('head', sync)))
  const isSlower = settings['max-slowdown'] !== null && tests.length > 0 && slower(tests[0], 1 - settings['max-slowdown'], a)
  if (tests.some(({ regressed }) => regressed) || gains.missed || isSlower) return 'regressed'
  const isOpen = tests.some(({ unclear }) => unclear) || gains.open || (tests.length > 0 && opens(design, tests[0], settings, a))
  return isOpen ? 'inconclusive' : 'pass'
}

/** Step 12, for one metric. */
function ofChange(d, A, S, settings, a, level) {
  const f = 1 - settings['max-regression']
  const [ofD, ofA, ofS] = [d, A, S].map(centres)
  const asks = settings['on-sync-improvement'] === 'warn'
  const judge = (p, async, sync) => {
    const lost = holm(async.map((y) => below(y, f)))
    return holm(p).map((value, c) => {
      if (!(value < level)) return 'held'
      if (asks && above(async[c], f) < a) return 'spared'
      return asks && above(sync[c], 1) < a && !(lost[c] < level) ? 'unclear' : 'regressed'
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
    ofD,
    ofA,
    ofS,
    regressed: whole === 'regressed' || cells.includes('regressed'),
    unclear: cells.includes('unclear') || (cells.length > 1 && whole === 'unclear'),
  }
}

/** Step 13. */
function slower({ ofA, ofS }, bound, a) {
  return holm([...ofS.columns, ...ofA.columns].map((y) => below(y, bound))).some((p) => p < a)
}

/** Step 14. */
function gainTest(design, settings, a, gain) {
  const wanted = settings['min-gain']
  if (wanted === null) return { missed: false, open: false }
  const ofCell = (cell) => (typeof wanted === 'number' ? wanted : wanted[cell.replace(/\/[^/]*$/, '')])
  const cells = design.gated.map((cell, c) => ({ c, least: ofCell(cell) })).filter(({ least }) => least !== undefined)
  const { columns } = centres(tableOf(design, gain))
  return {
    missed: holm(cells.map(({ c, least }) => below(columns[c], least))).some((p) => p < a),
    open: cells.some(({ c, least }) => !(above(columns[c], least) < a)),
  }
}

/** Step 16, what is asked of goodput. */
function opens(design, { d, cells, ofD }, settings, a) {
  const least = 1 - settings.resolution
  const asked = cells.map((judged) => judged !== 'spared' && judged !== 'unclear')
  if (ofD.columns.some((y, c) => asked[c] && !(above(y, least) < a))) return true
  const plain = cells.map((_, c) => mean(present(columnOf(d, c))))
  if (plain.some((value, c) => asked[c] && value < Math.log(least))) return true
  if (asked.every(Boolean) && mean(plain) < Math.log(1 - settings.resolution / 2)) return true
  return isUnsteady(design, settings)
}

function isUnsteady(design, settings) {
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
  return holm(p).some((value) => value < 0.05)
}
