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

const CPU_CLOCK = `$cpu = static function (): int {
            $usage = getrusage();

            return 1000000 * ($usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec']) + $usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec'];
        };
        $now = $start = $cpu();
        `

/**
 * Work that makes the asynchronous mode use 20 % more CPU time. Each process adds a fifth of the CPU time that it used otherwise. So the
 * share is 20 % on every route and at every speed of the machine. It runs once in 16 requests, because reading the clock costs time.
 */
const FIFTH_MORE_ASYNC = inAsync(`static $requests = 0, $since, $worked = 0;
            if ($requests++ % 16 === 0) {
                ${CPU_CLOCK}$since ??= $start;
                $due = ($start - $since - $worked) / 5 - $worked;
                while ($now - $start < $due) {
                    $now = $cpu();
                }
                $worked += $now - $start;
            }`)

/** The same for the synchronous mode, whose requests keep no state: a fifth of the CPU time that a pilot measured. */
function fifthMoreSync() {
  const microseconds = syncFifths()
  const routes = Object.entries(PATHS).map(([name, path]) => `'${path.split('?')[0]}' => ${Math.round(microseconds[name])}`)
  return `if (PHP_SAPI !== 'cli') {
            ${CPU_CLOCK}$due = [${routes}][$request->getUri()->getPath()] ?? 0;
            while ($now - $start < $due) {
                $now = $cpu();
            }
        }
        `
}

/** The changes of head, and whether the gate must find them. */
const SCENARIOS = {
  a: {
    about: 'async server waits 2 ms in a call that no hook covers',
    mustFail: true,
    // By FFI, because Swoole hooks PHP's own sleep functions.
    change: app(() =>
      inAsync("static $libc;\n            ($libc ??= \\FFI::cdef('int usleep(unsigned int);', 'libc.so.6'))->usleep(2000);"),
    ),
  },
  b: { about: '20 % more CPU work, async mode only', mustFail: true, change: app(() => FIFTH_MORE_ASYNC) },
  c: {
    about: 'bootstrap repeated for each request, async mode only',
    mustFail: true,
    change: app(() => inAsync('$again = new self(getenv());')),
  },
  d: { about: 'nothing changed', mustFail: false, change: () => {} },
  e: {
    about: 'service time of both modes times 1.2',
    mustFail: false,
    change: app(() => FIFTH_MORE_ASYNC + fifthMoreSync()),
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

/** A fifth of the median CPU time of a synchronous request, in microseconds by route. Measured anew for each job: machines change. */
function syncFifths() {
  const pilot = join(out, 'pilot')
  gate('study', () => {}, pilot, ['--blocks', '6', '--seed', '1'])
  const [names, ...rows] = readFileSync(join(pilot, 'samples.csv'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','))
  const column = (row, title) => row[names.indexOf(title)]
  const times = {}
  for (const row of rows.filter((row) => column(row, 'mode') === MODES[0])) {
    const route = column(row, 'workload')
    times[route] = [...(times[route] ?? []), Number(column(row, 'cpu_us_per_request'))]
  }
  const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]
  return Object.fromEntries(Object.entries(times).map(([route, list]) => [route, median(list) / 5]))
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
