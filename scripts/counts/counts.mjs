// How steady counts of instructions are, and which losses they find: jobs of `profile: work` with known work in head's asynchronous mode.
// A stopped series continues where it ended.
// npm run counts [-- --async swoole,fibers --jobs 2 --more 2,4,8,20 --app DIR --path / --connections 4 --out DIR]; --more '' seeds nothing
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'

const { values } = parseArgs({
  options: {
    async: { type: 'string', default: 'swoole,fibers' },
    jobs: { type: 'string', default: '2' },
    more: { type: 'string', default: '2,4,8,20' },
    app: { type: 'string', default: new URL('../../examples/minimal-app', import.meta.url).pathname },
    path: { type: 'string', default: '/' },
    connections: { type: 'string', default: '4' },
    out: { type: 'string', default: 'counts' },
  },
})
/** A job that takes longer is stuck. */
const LIMIT_MS = 30 * 60_000
/** Of the pilot, which measures what one of them costs. */
const PILOT_LOOPS = 1000
const AGAIN = -1
/** In percent: the default, and one for losses that only counts see. table.R has a column for each. */
const TOLERANCES = [5, 2]

const here = (name) => new URL(name, import.meta.url).pathname
const cli = here('../../dist/cli.js')
const out = resolve(values.out)
const shares = values.more.split(',').filter(Boolean).map(Number)
if (!shares.every((share) => share > 0)) throw new Error(`--more: found ${values.more}, allowed: percentages above 0, such as 2,4,8,20`)

const jobs = []
for (const mode of values.async.split(',')) {
  const directory = mkdtempSync(join(tmpdir(), 'counts-'))
  try {
    copyApp(directory)
    const loops = seeds(directory, mode)
    for (let job = 1; job <= Number(values.jobs); job++) jobs.push(measured(directory, mode, loops, String(job)))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
const table = execFileSync('Rscript', ['--vanilla', here('table.R'), basename(resolve(values.app)), ...jobs], { encoding: 'utf8' })
writeFileSync(join(out, 'counts.md'), table)
process.stdout.write(table)

function copyApp(directory) {
  cpSync(resolve(values.app), directory, { recursive: true, filter: (source) => !source.includes('/vendor') })
  cpSync(here('seeded.php'), join(directory, 'bench/seeded.php'))
  execFileSync('git', ['init', '--quiet'], { cwd: directory })
}

/** The work of each workload in head, in hashes. All jobs of a series have the same. */
function seeds(directory, mode) {
  const file = join(folderOf(mode), 'seeds.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const each = shares.length ? pilot(directory, mode) : {}
  const more = shares.map((share) => [`more-${share}`, Math.round(((share / 100) * each.request) / each.loop)])
  const loops = { same: 0, ...Object.fromEntries(more), ...(shares.length ? { bootstrap: AGAIN } : {}) }
  mkdirSync(folderOf(mode), { recursive: true })
  writeFileSync(file, JSON.stringify(loops))
  return loops
}

function folderOf(mode) {
  return join(out, basename(resolve(values.app)), mode)
}

/** @returns instructions of a request in the asynchronous mode, and of a loop */
function pilot(directory, mode) {
  const job = measured(directory, mode, { same: 0, loops: PILOT_LOOPS }, 'pilot')
  const [header, ...lines] = readFileSync(join(job, 'instructions.csv'), 'utf8').trim().split('\n')
  const names = header.split(',')
  const rows = lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [names[i], cell])))
  const mean = (workload) => {
    const counts = rows.filter((row) => row.workload === workload && row.revision === 'head' && row.mode === mode)
    return counts.reduce((sum, row) => sum + Number(row.instructions_per_request), 0) / counts.length
  }
  const request = mean('same')
  return { request, loop: (mean('loops') - request) / PILOT_LOOPS }
}

/** Measures a job, if that is not done, and judges it at each tolerance. @returns its folder of results */
function measured(directory, mode, loops, job) {
  const target = join(folderOf(mode), job)
  if (!existsSync(join(target, 'instructions.csv'))) measure(directory, mode, loops, job, target)
  const samples = join(target, 'samples.csv')
  for (const tolerance of TOLERANCES) {
    const out = join(target, `tolerance-${tolerance}`)
    run(['analyse', '--samples', samples, '--out', out, '--max-regression', String(tolerance), '--no-report'], [0, 1, 4])
  }
  return target
}

function measure(directory, mode, loops, job, target) {
  const names = Object.keys(loops)
  mkdirSync(target, { recursive: true })
  writeFileSync(join(directory, 'bench.yml'), JSON.stringify(configuration(mode, names)))
  commit(directory, Object.fromEntries(names.map((name) => [name, 0])), 'base')
  commit(directory, loops, 'head')
  const seed = job === 'pilot' ? '1' : job
  run(['measure', '--workspace', directory, '--config', 'bench.yml', '--out', target, '--seed', seed, '--job', job], [0])
}

function run(args, allowed) {
  const { status } = spawnSync('node', [cli, ...args], { stdio: ['ignore', 2, 'inherit'], timeout: LIMIT_MS })
  if (!allowed.includes(status)) throw new Error(`${args[0]} ended with ${status}`)
}

function commit(directory, loops, message) {
  const table = Object.entries(loops).map(([name, count]) => `'${name}' => ${count}`)
  writeFileSync(join(directory, 'bench/loops.php'), `<?php\n\nreturn [${table}];\n`)
  const git = (...args) => execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@localhost', ...args], { cwd: directory })
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', '-m', message)
}

/** The services that the app configures. */
function services() {
  const file = join(resolve(values.app), 'bench.yml')
  const { database = 'none', redis = false, setup = [] } = existsSync(file) ? parse(readFileSync(file, 'utf8')) : {}
  return { database, redis, setup }
}

function configuration(mode, names) {
  const separator = values.path.includes('?') ? '&' : '?'
  return {
    // Work can only be seeded into an app of PSR-15.
    app: shares.length ? 'bench/seeded.php' : 'bench/app.php',
    modes: ['fpm', mode],
    workloads: names.map((name) => ({ name, path: `${values.path}${separator}more=${name}` })),
    loads: { some: { concurrency: Number(values.connections) } },
    profile: 'work',
    ...services(),
  }
}
