// Puts the tables that an R script prints into the document that shows them, or checks that they are still the same.
// node scripts/tables.mjs calibrate|replay [--check]
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const TABLES = {
  calibrate: { script: 'r/calibrate.R', document: 'README.md' },
  replay: { script: 'r/replay.R', document: 'docs/error-rates.md' },
}

const [name, flag] = process.argv.slice(2)
const table = TABLES[name]
if (!table || (flag !== undefined && flag !== '--check')) {
  console.error(`usage: node scripts/tables.mjs ${Object.keys(TABLES).join('|')} [--check]`)
  process.exit(2)
}
const done = spawnSync('Rscript', ['--vanilla', table.script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
if (done.status !== 0) process.exit(done.status ?? 1)

const text = readFileSync(table.document, 'utf8')
const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`]
const from = text.indexOf(begin) + begin.length
const to = text.indexOf(end)
if (from < begin.length || to < from) throw new Error(`${table.document}: no ${begin} … ${end}`)
const fresh = `\n\n${done.stdout.trim()}\n\n`
if (flag === '--check') {
  if (text.slice(from, to) === fresh) process.exit(0)
  console.error(`${table.document} does not show what ${table.script} prints. Run: npm run ${name}\n${fresh}`)
  process.exit(1)
}
writeFileSync(table.document, text.slice(0, from) + fresh + text.slice(to))
