// Seeds known changes into the example app and counts the gate's verdicts on them.
// node scripts/seeded-regressions.mjs [--modes fpm,swoole] [--jobs 5] [--first 1] [--only a,d] [--out DIR]; a job takes some 6 minutes
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    modes: { type: 'string', default: 'fpm,swoole' },
    jobs: { type: 'string', default: '5' },
    first: { type: 'string', default: '1' },
    only: { type: 'string', default: 'a,b,c,d,e,f' },
    out: { type: 'string', default: 'seeded-regressions' },
  },
})

const MODES = values.modes.split(',')
const PATHS = { book: '/catalog/book', orders: '/api/orders?limit=50' }
const DISPATCH = 'return $this->router->dispatch($request)'
const spin = (microseconds) => `$end = hrtime(true) + 1000 * (${microseconds});\n        while (hrtime(true) < $end);\n        `
const inAsync = (code) => `if (PHP_SAPI === 'cli') {\n            ${code}\n        }\n        `
const app = (code) => (directory) => edit(join(directory, 'src/Core/App.php'), DISPATCH, code() + DISPATCH)

/** A fifth of the CPU time that a request of this route takes, in one mode or in both. */
const fifth = (inSync) => {
  const [sync, asynchronous] = MODES.map((mode) => (name) => Math.round(pilot()[`${name} ${mode}`] / 5))
  const routes = Object.entries(PATHS).map(
    ([name, path]) => `'${path.split('?')[0]}' => PHP_SAPI === 'cli' ? ${asynchronous(name)} : ${inSync ? sync(name) : 0}`,
  )
  return `[${routes}][$request->getUri()->getPath()] ?? 0`
}

/** What head does differently, and whether the gate must find it. */
const SCENARIOS = {
  a: {
    about: 'async server waits 2 ms in a call that no hook covers',
    mustFail: true,
    // By FFI, since Swoole hooks PHP's own ways to wait.
    change: app(() =>
      inAsync("static $libc;\n            ($libc ??= \\FFI::cdef('int usleep(unsigned int);', 'libc.so.6'))->usleep(2000);"),
    ),
  },
  b: { about: '20 % more CPU work, async mode only', mustFail: true, change: app(() => spin(fifth(false))) },
  c: {
    about: 'bootstrap repeated for each request, async mode only',
    mustFail: true,
    change: app(() => inAsync('$again = new self(getenv());')),
  },
  d: { about: 'nothing changed', mustFail: false, change: () => {} },
  e: {
    about: 'service time of both modes times 1.2',
    mustFail: false,
    change: app(() => spin(fifth(true))),
  },
  f: {
    about: 'bootstrap halved, which helps the sync mode',
    mustFail: false,
    change: (directory) => edit(join(directory, 'src/Catalog/Catalog.php'), 'self::CONTROLLERS', 'array_slice(self::CONTROLLERS, 0, 12)'),
  },
}

const CONFIG = `modes: [${MODES}]
workloads: [{ name: book, path: ${PATHS.book} }, { name: orders, path: "${PATHS.orders}", expect: { contains: '"items"' } }]
loads: { medium: { concurrency: 8 } }
setup: [php bin/setup.php]
profile: quick
blocks: 10
budget: 30m
`

function edit(file, from, to) {
  const text = readFileSync(file, 'utf8')
  if (!text.includes(from)) throw new Error(`${file}: no ${from}`)
  writeFileSync(file, text.replace(from, to))
}

function repository({ change }) {
  const directory = mkdtempSync(join(tmpdir(), 'seeded-'))
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@localhost', '-c', 'init.defaultBranch=main', ...args], { cwd: directory })
  cpSync(new URL('../examples/minimal-app', import.meta.url), directory, {
    recursive: true,
    filter: (source) => !source.includes('/vendor'),
  })
  writeFileSync(join(directory, 'bench.yml'), CONFIG)
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '-m', 'base')
  change(directory)
  git('commit', '--quiet', '--all', '--allow-empty', '-m', 'head')
  return directory
}

function gate(verb, change, results, args) {
  const directory = repository({ change })
  const cli = new URL('../dist/cli.js', import.meta.url).pathname
  spawnSync('node', [cli, verb, '--workspace', directory, '--config', 'bench.yml', '--out', results, ...args], { stdio: 'ignore' })
  rmSync(directory, { recursive: true, force: true })
}

let measured
/** Median CPU time of a request in microseconds, by workload and mode. */
function pilot() {
  if (measured) return measured
  gate('study', () => {}, join(out, 'pilot'), ['--blocks', '3'])
  const [names, ...rows] = readFileSync(join(out, 'pilot', 'samples.csv'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','))
  const column = (row, name) => row[names.indexOf(name)]
  const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]
  const groups = {}
  for (const row of rows) {
    const name = `${column(row, 'workload')} ${column(row, 'mode')}`
    groups[name] = [...(groups[name] ?? []), Number(column(row, 'cpu_us_per_request'))]
  }
  measured = Object.fromEntries(Object.entries(groups).map(([name, list]) => [name, median(list)]))
  process.stdout.write(`CPU time of a request in microseconds: ${JSON.stringify(measured)}\n`)
  return measured
}

const out = resolve(values.out)
mkdirSync(out, { recursive: true })
for (let job = Number(values.first); job < Number(values.first) + Number(values.jobs); job++) {
  for (const name of values.only.split(',')) {
    const scenario = SCENARIOS[name]
    const results = join(out, `${name}-${job}`)
    gate('run', scenario.change, results, ['--seed', String(job)])
    const { verdict, pooled, metrics } = JSON.parse(readFileSync(join(results, 'analysis.json'), 'utf8'))
    const ok = (verdict === 'regressed') === scenario.mustFail
    const line = `${name} ${job} ${verdict} ${ok ? 'right' : 'WRONG'} goodput ${pooled.change?.toFixed(3)} cpu ${metrics.cpu?.pooled.change?.toFixed(3)}: ${scenario.about}\n`
    process.stdout.write(line)
    appendFileSync(join(out, 'verdicts.txt'), line)
  }
}
