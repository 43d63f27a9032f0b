// Steps 9 to 12 of the rule: centres, errors, and the correlations of neighbours.
// A table is a list of rows, each with a number or null for every column, and the job of each row.
import { studentT } from './distributions.mjs'

const ascending = (values) => [...values].sort((a, b) => a - b)
export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
const sumOf = (values) => values.reduce((sum, value) => sum + value, 0)

export const columnOf = (table, c) => table.rows.map((row) => row[c])
export const present = (values) => values.filter((value) => value !== null)

function clamped(values) {
  const g = Math.floor(0.2 * values.length)
  const sorted = ascending(values)
  return values.map((value) => Math.min(Math.max(value, sorted[g]), sorted[values.length - 1 - g]))
}

/** Step 9. */
export function ofColumn(values) {
  const k = values.length
  const g = Math.floor(0.2 * k)
  const h = k - 2 * g
  const w = clamped(values)
  const middle = mean(w)
  const squares = sumOf(w.map((value) => (value - middle) ** 2))
  return { k, m: mean(ascending(values).slice(g, k - g)), se: Math.sqrt(squares / (h * (h - 1))), df: h - 1 }
}

/** Step 10. */
function ofTable(table) {
  const columns = table.rows[0].map((_, c) => columnOf(table, c))
  const each = columns.map((column) => ofColumn(present(column)))
  const u = columns.map((column, c) => {
    const w = clamped(present(column))
    const h = each[c].df + 1
    const middle = mean(w)
    const scaled = w.map((value) => (value - middle) / Math.sqrt(h * (h - 1)))
    return column.map((value) => (value === null ? 0 : scaled.shift()))
  })
  const se = Math.sqrt(sumOf(table.rows.map((_, b) => mean(u.map((column) => column[b])) ** 2)))
  return { k: Math.min(...each.map(({ k }) => k)), m: mean(each.map(({ m }) => m)), se, df: Math.min(...each.map(({ df }) => df)) }
}

/** Step 11: the correlation of each column. */
export function correlations(table) {
  const columns = table.rows[0].map((_, c) => chained(table, c))
  if (table.byJob) return columns.map(() => 0)
  const squares = columns.map((column) => mean(column.map(({ c }) => c * c)))
  const isWide = squares.map((square, i) => {
    const others = squares.filter((_, j) => j !== i)
    return others.length > 0 && square > 25 * median(others)
  })
  const shared = estimated(columns.filter((_, i) => !isWide[i]))
  return columns.map((column, i) => (isWide[i] ? Math.max(shared, estimated([column])) : shared))
}

/** The values of a column that are there: c, and the job of each. */
function chained(table, column) {
  const there = table.rows.map((row, b) => ({ value: row[column], job: table.jobs[b] })).filter(({ value }) => value !== null)
  const w = clamped(there.map(({ value }) => value))
  const middle = mean(w)
  return there.map(({ job }, i) => ({ c: w[i] - middle, job }))
}

function median(values) {
  const sorted = ascending(values)
  const half = sorted.length / 2
  return Number.isInteger(half) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[Math.floor(half)]
}

/** The correlation that some columns share. */
function estimated(columns) {
  const n = sumOf(columns.map((column) => column.length))
  const K = n / columns.length
  const squares = sumOf(columns.flat().map(({ c }) => c * c))
  if (K < 6 || squares === 0) return 0
  const products = columns.flatMap((column) => column.slice(1).map(({ c, job }, i) => (job === column[i].job ? c * column[i].c : 0)))
  const raised = sumOf(products) / squares + 1 / K
  return raised <= 2 / Math.sqrt(n) ? 0 : Math.min(0.95, raised / (1 - 4 / K))
}

function widen({ k, m, se, df }, q, jobs) {
  if (q <= 0) return { k, m, se, df }
  const l = k / jobs
  let V = 1
  for (let j = 1; j < l; j++) V += 2 * (1 - j / l) * q ** j
  return { k, m, se: se * Math.sqrt((V * (k - 1)) / (k - V)), df: Math.max(1, df / V) }
}

/** Centres of a table: of its columns, and of the whole; and the correlation of each column. */
export function centres(table) {
  const q = correlations(table)
  const jobs = new Set(table.jobs).size
  return {
    q,
    columns: table.rows[0].map((_, c) => widen(ofColumn(present(columnOf(table, c))), q[c], jobs)),
    whole: widen(ofTable(table), Math.max(...q), jobs),
  }
}

/** Step 12. */
export function below({ m, se, df }, x) {
  const t = (m - Math.log(x)) / se
  return Number.isNaN(t) ? 0.5 : studentT(t, df)
}
export function above({ m, se, df }, x) {
  const t = (m - Math.log(x)) / se
  return Number.isNaN(t) ? 0.5 : studentT(-t, df)
}
