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
const inAsync = (code) => `if (PHP_SAPI === 'cli') {\n            ${code}\n        }\n        `
const app = (code) => (directory) => edit(join(directory, 'src/Core/App.php'), DISPATCH, code() + DISPATCH)

/** Busy work that costs each route and mode a fifth of its CPU time, in one mode or in both. */
function fifthMore(inSync) {
  const [sync, asynchronous] = MODES
  const nanoseconds = fifths()
  const routes = Object.entries(PATHS).map(([name, path]) => {
    const inMode = (mode) => Math.max(0, Math.round(nanoseconds[`${name} ${mode}`]))
    return `'${path.split('?')[0]}' => PHP_SAPI === 'cli' ? ${inMode(asynchronous)} : ${inSync ? inMode(sync) : 0}`
  })
  // The clock starts first: looking up how long to work is part of the work, some microseconds that an asynchronous mode would feel.
  return `$start = hrtime(true);\n        $work = [${routes}][$request->getUri()->getPath()] ?? 0;\n        while (hrtime(true) - $start < $work);\n        `
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
  b: { about: '20 % more CPU work, async mode only', mustFail: true, change: app(() => fifthMore(false)) },
  c: {
    about: 'bootstrap repeated for each request, async mode only',
    mustFail: true,
    change: app(() => inAsync('$again = new self(getenv());')),
  },
  d: { about: 'nothing changed', mustFail: false, change: () => {} },
  e: {
    about: 'service time of both modes times 1.2',
    mustFail: false,
    change: app(() => fifthMore(true)),
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

/** A fifth of the median CPU time of a request, in nanoseconds by route and mode, as in `book fpm`. Measured anew for each job: machines change. */
function fifths() {
  const pilot = join(out, 'pilot')
  gate('study', () => {}, pilot, ['--blocks', '6', '--seed', '1'])
  const [names, ...rows] = readFileSync(join(pilot, 'samples.csv'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','))
  const column = (row, title) => row[names.indexOf(title)]
  const times = {}
  for (const row of rows) {
    const group = `${column(row, 'workload')} ${column(row, 'mode')}`
    times[group] = [...(times[group] ?? []), 1000 * Number(column(row, 'cpu_us_per_request'))]
  }
  const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]
  return Object.fromEntries(Object.entries(times).map(([group, list]) => [group, median(list) / 5]))
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
