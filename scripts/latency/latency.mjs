// Measures how the distance of the database affects the gain of `orders` and `invoice`: one study per delay, and one table of all.
// npm run latency [-- --delays 0,0.5,1,2 --modes fpm,swoole --loads 8,32 --blocks 4 --out DIR]
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    delays: { type: 'string', default: '0,0.5,1,2' },
    modes: { type: 'string', default: 'fpm,swoole' },
    loads: { type: 'string', default: '8,32' },
    blocks: { type: 'string', default: '4' },
    out: { type: 'string', default: 'latency' },
  },
})
/** A longer study is stuck: the four default studies take some 15 minutes together. */
const LIMIT_MS = 20 * 60_000

if (!(Number(values.blocks) >= 2)) throw new Error('--blocks: a confidence interval needs at least 2')
const modes = values.modes.split(',')
const [reference, other] = modes
const cli = new URL('../../dist/cli.js', import.meta.url).pathname
const directory = mkdtempSync(join(tmpdir(), 'latency-'))
try {
  cpSync(new URL('../../examples/minimal-app', import.meta.url), directory, {
    recursive: true,
    filter: (source) => !source.includes('/vendor'),
  })
  const git = (...args) => execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@localhost', ...args], { cwd: directory })
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '-m', 'app')
  const rows = values.delays.split(',').flatMap((delay) => study(Number(delay)))
  const table = [
    `| database away | workload / load | ${reference} (req/s) | ${other} (req/s) | gain (95 % CI) | relay (CPUs) | relay late (p99, ms) |`,
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
  writeFileSync(join(resolve(values.out), 'latency.md'), table)
  process.stdout.write(table)
} finally {
  rmSync(directory, { recursive: true, force: true })
}

/** @returns one row per cell */
function study(ms) {
  const out = join(resolve(values.out), `${ms}ms`)
  mkdirSync(out, { recursive: true })
  writeFileSync(join(directory, 'bench.yml'), JSON.stringify(configuration(ms)))
  const args = ['study', '--workspace', directory, '--config', 'bench.yml', '--out', out, '--seed', '6']
  const { status } = spawnSync('node', [cli, ...args], { stdio: ['ignore', 2, 'inherit'], timeout: LIMIT_MS })
  if (status !== 0) throw new Error(`the study with the database ${ms} ms away ended with ${status}`)
  const read = (name) => readFileSync(join(out, name), 'utf8')
  const samples = samplesIn(read('samples.csv'))
  const { runs } = JSON.parse(read('run.json'))
  const relay = Math.max(...runs.map(({ relay_cpus: cpus }) => cpus ?? 0))
  const lateIn = (workload, load) =>
    Math.max(...runs.flatMap((run) => (run.workload === workload && run.load === load ? [run.relay_p99_late_ms ?? 0] : [])))
  return JSON.parse(read('analysis.json'))
    .pairs.filter(({ from, to }) => from === reference && to === other)
    .map(({ cell, gain, low, high }) => {
      const [workload, load] = cell.split('/').map((part) => part.trim())
      const goodput = (mode) =>
        median(samples.filter((row) => row.workload === workload && row.load === load && row.mode === mode).map((row) => row.goodput))
      const figures = [goodput(reference), goodput(other)].map((value) => value.toLocaleString('en-US', { maximumSignificantDigits: 3 }))
      return `| ${ms} ms | ${cell} | ${figures.join(' | ')} | ${gain.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)}) | ${ms === 0 ? '–' : relay.toFixed(2)} | ${ms === 0 ? '–' : lateIn(workload, load).toFixed(2)} |`
    })
}

function configuration(ms) {
  return {
    modes,
    workloads: [{ name: 'orders', path: '/api/orders?limit=50', expect: { contains: '"items"' } }, 'invoice'],
    loads: Object.fromEntries(values.loads.split(',').map((concurrency) => [`c${concurrency}`, { concurrency: Number(concurrency) }])),
    setup: ['php bin/setup.php'],
    profile: 'quick',
    blocks: Number(values.blocks),
    budget: '60m',
    ...(ms === 0 ? {} : { latency: { database: `${ms}ms` } }),
  }
}

/** Only the last attempt at each run counts. */
function samplesIn(csv) {
  const [header, ...lines] = csv.trim().split('\n')
  const names = header.split(',')
  const all = lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [names[index], cell])))
  const last = new Map(all.map((row) => [[row.block, row.workload, row.load, row.mode].join(), row]))
  return [...last.values()].map((row) => ({ ...row, goodput: Number(row.goodput_rps) }))
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle) - 1]) / 2
}
