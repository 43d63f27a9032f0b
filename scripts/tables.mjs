// Writes the tables that an R script prints into a document, or checks that the document is up to date.
// node scripts/tables.mjs calibrate|replay [--check|--short]: --short only rewrites the README's lines from the document's table.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ratesIn } from './rates.mjs'

const TABLES = {
  calibrate: { script: 'r/calibrate.R', document: 'docs/error-rates.md', short: { document: 'README.md', of: ratesIn } },
  replay: { script: 'r/replay.R', document: 'docs/error-rates.md' },
}

/** Prints R's version and the code of files, without comments. */
const PRINT_CODE = `
cat(R.version.string, sep = "\\n")
for (file in commandArgs(TRUE)) writeLines(c(file, unlist(lapply(parse(file, keep.source = FALSE), deparse))))
`

const [name, flag] = process.argv.slice(2)
const table = TABLES[name]
if (!table || !(flag === undefined || flag === '--check' || (flag === '--short' && table.short))) {
  console.error(`usage: node scripts/tables.mjs ${Object.keys(TABLES).join('|')} [--check|--short]`)
  process.exit(2)
}

const text = readFileSync(table.document, 'utf8')
const shown = new RegExp(`<!-- ${name}: begin(?: (\\w+))? -->\n\n([^]*?)\n\n<!-- ${name}: end -->`).exec(text)
if (!shown) throw new Error(`${table.document}: no <!-- ${name}: begin --> … <!-- ${name}: end -->`)
const [whole, digest, old] = shown
if (flag === '--short') {
  shorten(old)
  process.exit(0)
}
if (flag === '--check' && table.short && !isShortened(old)) {
  console.error(`${table.short.document} shows other numbers than ${table.document}. Run: node scripts/tables.mjs ${name} --short`)
  process.exit(1)
}

// Seeds are fixed, so the same sources and the same R print the same table. Only if they change is it simulated again.
if (flag === '--check' && digest === digestOf(old)) {
  console.log(`${table.document} is up to date: ${table.script} and its data have not changed`)
  process.exit(0)
}
const done = spawnSync('Rscript', ['--vanilla', table.script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
if (done.status !== 0) process.exit(done.status ?? 1)
const fresh = done.stdout.trim()
if (flag === '--check') {
  if (fresh === old) process.exit(0)
  console.error(`${table.document} does not show what ${table.script} prints. Run: npm run ${name}\n${fresh}`)
  process.exit(1)
}
const block = `<!-- ${name}: begin ${digestOf(fresh)} -->\n\n${fresh}\n\n<!-- ${name}: end -->`
writeFileSync(table.document, text.slice(0, shown.index) + block + text.slice(shown.index + whole.length))

if (table.short) shorten(fresh)

/** Writes the table's short lines into the README. */
function shortBlock(printed) {
  return `<!-- ${name}-short: begin -->\n\n${table.short.of(printed)}\n\n<!-- ${name}-short: end -->`
}

function shorten(printed) {
  const { document } = table.short
  const before = readFileSync(document, 'utf8')
  const place = new RegExp(`<!-- ${name}-short: begin -->[^]*<!-- ${name}-short: end -->`)
  if (!place.test(before)) throw new Error(`${document}: no <!-- ${name}-short: begin --> … <!-- ${name}-short: end -->`)
  writeFileSync(
    document,
    before.replace(place, () => shortBlock(printed)),
  )
}

function isShortened(printed) {
  return readFileSync(table.short.document, 'utf8').includes(shortBlock(printed))
}

/**
 * The digest of a table and of what it depends on. That is R, the rule, the files of r/calibration that the script names, and the
 * recordings if it reads them. The texts about a verdict are not part of it.
 */
function digestOf(printed) {
  const script = readFileSync(table.script, 'utf8')
  const named = (file) => script.includes(`"${basename(file)}"`)
  const sources = [...filesIn('r/R/rule', '.R'), ...filesIn('r/calibration', '.R').filter(named)]
  const code = execFileSync('Rscript', ['--vanilla', '-e', PRINT_CODE, table.script, ...sources])
  const hash = createHash('sha256').update(code)
  const data = script.includes('"recorded"') ? filesIn('r/calibration/recorded', '.csv.gz') : []
  for (const file of data) hash.update(`${file}\0`).update(readFileSync(file)).update('\0')
  return hash.update(printed).digest('hex')
}

/** @returns {string[]} the files of a folder and its subfolders, in order */
function filesIn(directory, ending) {
  return readdirSync(directory, { recursive: true })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(directory, name))
    .sort()
}
