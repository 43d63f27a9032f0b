// Steps 1 to 3 and 8 of the rule: from rows to quads, and to tables of what they hold.

export const isMeasured = (cpu) => cpu !== null && cpu >= 0.001
const unique = (values) => [...new Set(values)]

/** @param rows samples.csv, empty fields null @param modes sync, async, others @param redefined workloads */
export function quadsOf(rows, modes, redefined) {
  const [sync, async] = modes
  const idOf = (row) => [row.job, row.block, row.workload, row.load].join(' ')
  const last = new Map()
  for (const row of rows) last.set(idOf(row), Math.max(row.attempt, last.get(idOf(row)) ?? 0))
  const named = rows
    .filter((row) => modes.includes(row.mode) && row.attempt === last.get(idOf(row)))
    .map((row) => ({ ...row, cell: `${row.workload}/${row.load}` }))
  const ofBase = named.filter(({ revision }) => revision === 'base')
  const hasBase = ofBase.length > 0
  const all = unique(named.map(({ cell }) => cell))
  const old = hasBase ? unique(ofBase.map(({ cell }) => cell)).filter((cell) => all.includes(cell)) : all
  const alike = old.filter((cell) => !redefined.includes(cell.replace(/\/[^/]*$/, '')))
  const isComparable = alike.length > 0
  const gated = isComparable ? alike : old
  const fresh = all.filter((cell) => !old.includes(cell))
  const kept = named.filter(({ cell }) => gated.includes(cell) || fresh.includes(cell) || !isComparable)
  const arms = (hasBase ? ['base', 'head'] : ['head']).flatMap((revision) =>
    [sync, async].filter((mode) => mode !== undefined).map((mode) => ({ revision, mode })),
  )
  const blocks = unique(kept.map(({ job, block }) => JSON.stringify([job, block])))
    .map((text) => JSON.parse(text))
    .sort(([j1, b1], [j2, b2]) => (j1 < j2 ? -1 : j1 > j2 ? 1 : b1 - b2))
  const at = new Map(kept.map((row) => [[row.job, row.block, row.cell, row.revision, row.mode].join(' '), row]))
  const quads = blocks.map(([job, block]) =>
    gated.map((cell) => ({
      job,
      block,
      cell,
      arms: arms.map((arm) => ({ ...arm, row: at.get([job, block, cell, arm.revision, arm.mode].join(' ')) })),
    })),
  )
  const answered = ({ row }) => row !== undefined && row.goodput_rps > 0
  const yard = quads.flat().flatMap((quad) => quad.arms.filter((arm) => arm.revision === 'base' && answered(arm)))
  const asksForCpu = yard.length > 0 && yard.filter(({ row }) => isMeasured(row.cpu_us_per_request)).length > yard.length / 2
  for (const quad of quads.flat()) {
    const missing = quad.arms.some(({ row }) => row === undefined)
    quad.isAbsent = quad.block > 6 && quad.arms.every(({ row }) => row === undefined)
    const unmeasured = asksForCpu && quad.arms.some((arm) => answered(arm) && !isMeasured(arm.row.cpu_us_per_request))
    const failed = quad.arms.filter(({ row }) => row?.goodput_rps === 0)
    quad.isComplete = !missing && !unmeasured && failed.length === 0
    quad.isLost = !quad.isAbsent && (missing || unmeasured || failed.some(({ revision }) => revision === 'base'))
  }
  return { rows: kept, quads, gated, isComparable, hasBase, jobs: unique(blocks.map(([job]) => job)), modes }
}

/**
 * Step 8: a table of what `of` takes from a quad's rows, given by `revision mode`.
 *
 * @param of gives a number, or null for none
 */
export function tableOf(design, of) {
  const heldIn = (quad) => {
    if (!quad.isComplete) return null
    const arms = Object.fromEntries(quad.arms.map(({ revision, mode, row }) => [`${revision} ${mode}`, row]))
    return of((revision, mode) => arms[`${revision} ${mode}`])
  }
  const rows = design.quads.map((quads) => quads.map(heldIn))
  const jobs = design.quads.map(([quad]) => quad.job)
  const counts = rows.map((_, b) => design.quads[b].some(({ isComplete }) => isComplete))
  const kept = { rows: rows.filter((_, b) => counts[b]), jobs: jobs.filter((_, b) => counts[b]) }
  const names = unique(kept.jobs)
  if (names.length < 6) return { ...kept, byJob: false }
  const meanOf = (job, c) => {
    const values = kept.rows
      .filter((_, b) => kept.jobs[b] === job)
      .map((row) => row[c])
      .filter((value) => value !== null)
    return values.length ? values.reduce((a, b) => a + b, 0) / values.length : null
  }
  return { rows: names.map((job) => design.gated.map((_, c) => meanOf(job, c))), jobs: names, byJob: true }
}
