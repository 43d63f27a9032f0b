// Steps 9 to 12 of the rule: centres, errors, and the correlation of neighbours.
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

/** Step 11: the correlation of a table. */
export function correlation(table) {
  const columns = table.rows[0].map((_, c) => table.rows.map((row, b) => ({ value: row[c], job: table.jobs[b] })))
  const filled = columns.map((column) => column.filter(({ value }) => value !== null))
  const n = sumOf(filled.map((column) => column.length))
  const K = n / columns.length
  if (K < 6 || table.byJob) return 0
  let products = 0
  let squares = 0
  for (const column of filled) {
    const w = clamped(column.map(({ value }) => value))
    const c = w.map((value) => value - mean(w))
    c.forEach((value, i) => {
      squares += value * value
      if (i > 0 && column[i].job === column[i - 1].job) products += value * c[i - 1]
    })
  }
  if (squares === 0) return 0
  const raised = products / squares + 1 / K
  return raised <= 2 / Math.sqrt(n) ? 0 : Math.min(0.95, raised / (1 - 4 / K))
}

function widen({ k, m, se, df }, q, jobs) {
  if (q <= 0) return { k, m, se, df }
  const l = k / jobs
  let V = 1
  for (let j = 1; j < l; j++) V += 2 * (1 - j / l) * q ** j
  return { k, m, se: se * Math.sqrt((V * (k - 1)) / (k - V)), df: Math.max(1, df / V) }
}

/** Centres of a table: of its columns, and of the whole. */
export function centres(table) {
  const q = correlation(table)
  const jobs = new Set(table.jobs).size
  return {
    columns: table.rows[0].map((_, c) => widen(ofColumn(present(columnOf(table, c))), q, jobs)),
    whole: widen(ofTable(table), q, jobs),
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
