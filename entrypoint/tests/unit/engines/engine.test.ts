import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { names } from '../../../config/catalog.ts'
import { modesOf } from '../../../config/modes.ts'
import { runtimeNamed } from '../../../config/runtimes.ts'
import { parseConfig } from '../../../config/schema.ts'
import { workloadsOf } from '../../../config/workloads.ts'
import { freePort } from '../../../engines/host/ports.ts'
import { appEnvironment, iniFile } from '../../../engines/shared/environment.ts'
import { fill, fillCommand } from '../../../engines/shared/template.ts'
import type { Sample } from '../../../measure/samples.ts'
import { samplesCsv } from '../../../measure/samples.ts'
import { allowedCpus, cpuSets, describeSets, isOffMedian, parseCpuList, pinned } from '../../../system/machine.ts'
import { cpuUsOf, memoryKibOf } from '../../../system/process-facts.ts'
import { ProcessGroup, processes } from '../../../system/process-group.ts'
import { emptyFiles } from '../../../system/scratch.ts'
import { atRest, distinctTail, logEnd, NOTHING_KNOWN, TAIL_LINES } from '../../../system/tail.ts'

describe('the environment of the app', () => {
  const config = parseConfig('env: { APP_ENV: staging, N: 1 }\nphp: { ini: { memory_limit: 64M } }', 'c.yml')
  const outer = {
    PATH: '/bin',
    HOME: '/h',
    GITHUB_TOKEN: 's',
    ACTIONS_RUNTIME_TOKEN: 's',
    INPUT_GITHUB_TOKEN: 's',
    NPM_TOKEN: 's',
    LC_ALL: 'de_DE.UTF-8',
  }
  const env = appEnvironment(config, outer, ':/ini', { access: { host: 'h', port: 1, user: 'u', password: 'p/w' }, name: 'db' })

  test('holds no token and no input', () => assert.ok(!Object.values(env).includes('s')))
  test('holds what the configuration and the database give', () => {
    assert.deepEqual(
      [env.APP_ENV, env.APP_DEBUG, env.N, env.DB_NAME, env.DATABASE_URL, env.PHP_INI_SCAN_DIR],
      ['staging', '0', '1', 'db', 'mysql://u:p%2Fw@h:1/db?charset=utf8mb4', ':/ini'],
    )
  })
  test('keeps what is freed, unless the configuration says otherwise', () => {
    const own = parseConfig('env: { MALLOC_TRIM_THRESHOLD_: 131072 }', 'c.yml')
    const thresholds = (given: typeof config): (string | undefined)[] => {
      const { MALLOC_MMAP_THRESHOLD_, MALLOC_TRIM_THRESHOLD_ } = appEnvironment(given, outer, ':/ini', undefined)
      return [MALLOC_MMAP_THRESHOLD_, MALLOC_TRIM_THRESHOLD_]
    }
    assert.deepEqual(thresholds(config), [String(32 << 20), String(256 << 20)])
    assert.deepEqual(thresholds(own), [String(32 << 20), '131072'])
  })
  test('comes with ini settings of which the last wins', () => {
    const ini = iniFile(config, ['/x.so'])
    assert.match(ini, /^extension = "\/x\.so"\n[\s\S]*opcache\.enable_cli = 1\n/)
    assert.deepEqual(ini.match(/memory_limit.*/g), ['memory_limit = "64M"'])
  })
})

describe('templates', () => {
  test('are filled, and empty arguments left out', () => {
    assert.deepEqual(fillCommand(['a', '{b}', 'x{c}'], { b: '', c: '1' }), ['a', 'x1'])
    assert.throws(() => fill('{nothing}', { b: '1' }), /no value for \{nothing\}; known: b/)
  })
})

describe('folders', () => {
  test('are all readable', () => {
    assert.deepEqual(names('runtimes'), ['fibers', 'fpm', 'swoole', 'swoole-sync'])
    assert.equal(modesOf(parseConfig('modes: [fibers, fpm, swoole, swoole-sync]', 'c')).length, 4)
    const [, invoice] = workloadsOf(parseConfig('workloads: [fibonacci, { name: invoice, columns: all }]', 'c'))
    assert.equal(invoice?.path, '/_bench/invoice?columns=all')
    assert.deepEqual(invoice?.builtIn?.statements, { insert: 14, select: 175, update: 4, delete: 1 })
  })
  const refused: [string, RegExp][] = [
    ['modes: [fpm, swole]', /modes: no runtime named "swole"; did you mean "swoole"\? Allowed: fibers, fpm/],
    ['modes: [fpm, fpm]', /"fpm" is there twice/],
    ['workloads: [fibonaci]', /did you mean "fibonacci"\?/],
    ['workloads: [{ name: invoice, colums: all }]', /no option named "colums"; did you mean "columns"/],
    ['workloads: [{ name: invoice, columns: some }]', /Allowed: twelve, all/],
    ['workloads: [{ name: a, path: /, mask: ["("] }]', /mask: "\(" is not a regular expression/],
  ]
  for (const [text, message] of refused) {
    test(`refuse ${text}`, () => assert.throws(() => [modesOf(parseConfig(text, 'c')), workloadsOf(parseConfig(text, 'c'))], message))
  }
})

describe('files of a run', () => {
  test('lose their content and keep their names; nothing outside is touched', () => {
    const directory = mkdtempSync(join(tmpdir(), 'files-'))
    try {
      const [run, outside] = [join(directory, 'run'), join(directory, 'outside')]
      mkdirSync(join(run, 'deeper'), { recursive: true })
      for (const file of [outside, join(run, 'a.pdf'), join(run, 'deeper', 'b.xml')]) writeFileSync(file, 'content')
      symlinkSync(outside, join(run, 'link'))
      emptyFiles(run)
      assert.deepEqual(
        [join(run, 'a.pdf'), join(run, 'deeper', 'b.xml'), outside].map((file) => readFileSync(file, 'utf8')),
        ['', '', 'content'],
      )
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})

describe('the machine', () => {
  test('keeps app, database and hey apart from four CPUs on', () => {
    const both = { database: true, load: true }
    const first = (count: number) => [...Array(count).keys()]
    assert.deepEqual(cpuSets(first(2), both), { appCpus: 2 })
    assert.deepEqual(cpuSets(first(3), both), { appCpus: 3 })
    assert.deepEqual(cpuSets(first(4), both), { appCpus: 2, app: '0,1', database: '2', load: '3' })
    assert.deepEqual(cpuSets(first(4), { database: false, load: true }), { appCpus: 3, app: '0,1,2', load: '3' })
    assert.deepEqual(cpuSets(first(4), { database: true, load: false }), { appCpus: 3, app: '0,1,2', database: '3' })
    assert.deepEqual(cpuSets(first(8), both), { appCpus: 5, app: '0,1,2,3,4', database: '5,6', load: '7' })
    assert.deepEqual(describeSets({ appCpus: 2 }), { app: 'all', database: 'all', load: 'all' })
  })
  test('has the CPUs that the runner is held to', () => {
    assert.deepEqual(parseCpuList('0-2,5'), [0, 1, 2, 5])
    assert.deepEqual(parseCpuList('7'), [7])
    assert.equal(allowedCpus().length, availableParallelism())
    assert.deepEqual(cpuSets([2, 3, 8, 9], { database: true, load: true }), { appCpus: 2, app: '2,3', database: '8', load: '9' })
  })
  test('holds a command to its CPUs', () => {
    assert.deepEqual(pinned(['hey'], '3'), ['taskset', '-c', '3', 'hey'])
  })
  test('was not itself when the probe is far off the median, never on thin data', () => {
    assert.ok(!isOffMedian(500, [100, 100]))
    assert.ok(isOffMedian(130, [100, 101, 99, 100, 100]))
    assert.ok(!isOffMedian(120, [100, 101, 99, 100, 100]))
  })
})

describe('a process group', () => {
  const start = (command: string[]) => ProcessGroup.start(command, { cwd: '/', env: { PATH: process.env.PATH ?? '' }, log: '/dev/null' })

  /** Waits until it has that many, for ten seconds at most; what it has then is the test's to look at. */
  const hasProcesses = async (group: ProcessGroup, count: number): Promise<void> => {
    for (let look = 0; look < 500 && group.pids().length !== count; look++) await sleep(20)
  }

  test('is killed while it starts processes, and none of them is left', async () => {
    // The larger a process, the longer a fork of it takes, and the likelier it is to be in the middle of one.
    const forks = ['perl', '-e', '$x = "a" x 2e8; for (1 .. 1000) { fork or do { sleep 60; exit } } sleep 60']
    for (let round = 0; round < 8; round++) {
      const group = await start(forks)
      for (let look = 0; look < 500 && group.pids().length < 4; look++) await sleep(10)
      group.kill()
      // What was killed takes its time to end on a busy machine; what was missed sleeps for a minute.
      await hasProcesses(group, 0)
      const left = group.pids()
      for (const pid of left) process.kill(pid, 'SIGKILL')
      assert.deepEqual(left, [])
    }
  })

  test('ends with all that it started, also what ignores SIGTERM', async () => {
    const group = await start(['sh', '-c', 'sh -c "trap \\"\\" TERM; sleep 60 & wait; sleep 60" & wait'])
    await hasProcesses(group, 3)
    await group.stop(200)
    assert.deepEqual(group.pids(), [])
  })
  test('keeps what goes into a session of its own, also when its parent ends, as php-fpm does', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'group-'))
    const group = await start(['sh', '-c', `setsid sh -c "setsid sleep 60 & until [ -e ${directory}/go ]; do sleep 1; done" & sleep 60; :`])
    await hasProcesses(group, 5)
    writeFileSync(join(directory, 'go'), '')
    await hasProcesses(group, 3)
    rmSync(directory, { recursive: true })
    const left = group.pids()
    assert.equal(left.length, 3, 'the first shell and the long sleeps')
    await group.stop(200)
    assert.ok(!processes().some(({ pid, state }) => left.includes(pid) && state !== 'Z'))
  })
  test('has its CPU time measured', async () => {
    const group = await start(['sh', '-c', 'while :; do :; done'])
    const started = performance.now()
    await sleep(300)
    const [cpuUs, memoryKib] = [cpuUsOf(group.pids()), memoryKibOf(group.pids())]
    const wallUs = (performance.now() - started) * 1000
    await group.stop()
    assert.ok(cpuUs > 50_000 && cpuUs < wallUs + 100_000, `${cpuUs} of ${wallUs}`)
    assert.ok(memoryKib > 50, String(memoryKib))
  })
  test('has the CPU time of children that have ended', async () => {
    const group = await start(['sh', '-c', '(i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done); sleep 60; :'])
    for (let look = 0; look < 500 && cpuUsOf([group.pid]) < 50_000; look++) await sleep(20)
    const cpuUs = cpuUsOf([group.pid])
    await group.stop()
    assert.ok(cpuUs >= 50_000, `${cpuUs} us of the shell that waited`)
  })
  test('says why a command cannot be started', () => assert.rejects(start(['/nowhere/x']), /ENOENT/))
})

describe('a log', () => {
  test('is read to its end, also when it is written after the answer', async () => {
    const log = ['']
    const later = setTimeout(() => log.push('the cache is cold'), 100)
    assert.equal(await atRest(async () => log.join('')), 'the cache is cold')
    clearTimeout(later)
  })
  test('is not waited for without end', async () => {
    let lines = 0
    await atRest(async () => String(lines++))
    assert.equal(lines, 8)
  })
  test('shows each kind of line once', () => {
    assert.equal(distinctTail('a 1\nb\na 2\n\na 3\nc 9\n', 3), 'b\na 3\nc 9')
  })
  test('shows the message above a long stack trace, where it happened, and the first frame of the app', () => {
    const frame = (i: number, path: string): string => `#${i} ${path}(1): call()`
    const trace = [
      ...Array.from({ length: 20 }, (_, i) => frame(i, `/app/vendor/${String.fromCharCode(97 + i)}.php`)),
      frame(20, '/app/src/A.php'),
    ]
    const below = [frame(21, '/bench/server.php'), '#22 {main}', '  thrown in /app/vendor/a.php on line 1']
    const log = ['PHP Fatal error:  Socket#1 has already been bound', 'Stack trace:', ...trace, ...below].join('\n')
    assert.deepEqual(logEnd(log, NOTHING_KNOWN, TAIL_LINES).split('\n'), [
      'PHP Fatal error:  Socket#1 has already been bound',
      'Stack trace:',
      trace[0],
      trace[1],
      trace[20],
      below[2],
    ])
  })
  test('ends with what the runtime knows about it', () => {
    const log = 'Uncaught Swoole\\Error: Socket#15 has already been bound to another coroutine#13'
    assert.match(logEnd(log, runtimeNamed('swoole'), TAIL_LINES), /coroutine#13\nTwo coroutines used one connection .*PDO::ATTR_PERSISTENT/)
    assert.equal(logEnd('all is well', runtimeNamed('swoole'), TAIL_LINES), 'all is well')
  })
})

test('samples.csv has ten digits, and nothing for what was not measured', () => {
  const sample = {
    job: '1',
    block: 1,
    position: 2,
    workload: 'a',
    load: 'b',
    concurrency: 8,
    revision: 'head',
    mode: 'fpm',
    started_at: 't',
    duration_s: 2,
    requests: 3,
    succeeded: 3,
    failed: 0,
    goodput_rps: 1 / 3,
    p50_ms: null,
    p95_ms: null,
    p99_ms: null,
    max_ms: null,
    cpu_us_per_request: 123456789.123,
    peak_memory_mib: 1e-7,
    memory_growth_kib_per_1k: -0.5,
    half_ratio: null,
    attempt: 1,
  } satisfies Sample
  assert.equal(samplesCsv([sample]).split('\n')[1], '1,1,2,a,b,8,head,fpm,t,2,3,3,0,0.3333333333,,,,,123456789.1,1e-7,-0.5,,1')
})

test('servers that start side by side are told of different ports', async () => {
  const ports: number[] = []
  for (let i = 0; i < 800; i++) ports.push(await freePort())
  assert.equal(new Set(ports).size, ports.length)
})
