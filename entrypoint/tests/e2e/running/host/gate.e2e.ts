/** Whole jobs on real servers, by the command line: studies, workloads with a database, modes by command, examples. */
import assert from 'node:assert/strict'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { PACKAGE } from '../../../../config/catalog.ts'
import { COLUMNS } from '../../../../measure/samples.ts'
import { apart } from '../../../../system/environment.ts'
import { exec } from '../../../../system/exec.ts'
import { config, measure, noSwoole } from '../../gate.ts'
import { cli, commit, type Files, git, leftovers, plannedRows, repository, rowsOf, temporary } from '../../harness.ts'

describe('the gate', () => {
  test('a study of rates tells where the modes part, and corrects what could not be sent', async () => {
    const directory = await repository({
      base: {
        'bench.yml':
          'modes: [fpm, fibers]\nworkloads: [upstream]\nloads: { slow: { rate: 8, concurrency: 4 }, fast: { rate: 60 } }\nconnections: 16\nprofile: quick\nblocks: 2\ndatabase: none\n',
      },
    })
    const out = join(directory, 'out')
    const args = ['--workspace', directory, '--config', 'bench.yml', '--out', out, '--seed', '5']
    const { code, output } = await cli(['study', ...args], { timeoutMs: 590_000 })
    assert.equal(code, 0, output)
    const run = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'))
    assert.deepEqual(
      run.plan.cells.map(({ load, rate, slices }: { load: string; rate: number; slices: number }) => [load, rate, slices]),
      [
        ['slow', 8, 1],
        ['fast', 60, 1],
      ],
    )
    // Ten calls of 50 ms after each other take 0.5 s, so 16 workers answer 32 requests per second. At once they take 50 ms.
    const sentence =
      /`upstream`: the modes part at 60 requests per second: `fpm` answers \d+ with a p99 of \d+ ms; `fibers` answers \d+ with/
    assert.match(readFileSync(join(out, 'summary.md'), 'utf8'), sentence)
    const rows = plannedRows(readFileSync(join(out, 'samples.csv'), 'utf8'))
    const goodput = (load: string): number[] =>
      rows.filter((row) => row[COLUMNS.indexOf('load')] === load).map((row) => Number(row[COLUMNS.indexOf('goodput_rps')]))
    for (const rate of goodput('slow')) assert.ok(rate > 6 && rate < 10, `${rate}`)
    assert.equal(goodput('fast').length, 4)

    const refused = await cli(['run', ...args])
    assert.equal(refused.code, 2, refused.output)
    assert.match(refused.output, /loads\.slow: found rate: 8, allowed: a concurrency\. A gate compares goodputs/)
  })

  test('a study compares modes and loads of one revision', async () => {
    const directory = await repository({
      base: {
        'bench.yml':
          'modes: [fpm, fibers]\nworkloads: [invoice]\nloads: { medium: { concurrency: 4 }, high: { concurrency: 8 } }\nprofile: quick\nblocks: 2\ngate: { min-gain: 99 }\n',
      },
    })
    const out = join(directory, 'out')
    const { code, output } = await cli(['study', '--workspace', directory, '--config', 'bench.yml', '--out', out, '--seed', '5'], {
      timeoutMs: 590_000,
    })
    assert.equal(code, 0, output)
    assert.match(output, /Study[\s\S]*`invoice`: the goodput of `fibers` against that of `fpm` is \d+\.\d\d times at `medium`/)
    assert.doesNotMatch(output, /Verdict/)
    assert.equal(plannedRows(readFileSync(join(out, 'samples.csv'), 'utf8')).length, 2 * 2 * 2)
    const report = readFileSync(join(out, 'report.html'), 'utf8')
    assert.match(report, /Study of the asynchronous gain[\s\S]*paper: F/)
    const analysis = JSON.parse(readFileSync(join(out, 'analysis.json'), 'utf8'))
    assert.deepEqual(
      analysis.anova.slice(0, 4).map((row: { term: string; df: number }) => [row.term, row.df]),
      [
        ['mode', 1],
        ['load', 1],
        ['mode:load', 1],
        ['Residuals', 4],
      ],
    )
    assert.deepEqual(await leftovers(), [])
  })

  test('invoice: the statements are counted, its files are removed', async () => {
    const directory = await repository({
      base: config(
        '[fpm, fibers]',
        '[invoice, { name: customer, path: "/api/customers/{id}" }]',
        'setup: [php bin/setup.php]\nblocks: 1\n',
      ),
    })
    const { code, output, read } = await measure(directory)
    assert.equal(code, 0, output)
    assert.equal(plannedRows(read('samples.csv')).length, 8)
    assert.ok(
      rowsOf(read('samples.csv')).every((row) => row[COLUMNS.indexOf('failed')] === '0'),
      read('samples.csv'),
    )
  })

  test("on the command line head's file counts; a workload that base does not know is new and not gated", async () => {
    const app = readFileSync(new URL('../../../../../examples/minimal-app/src/Core/App.php', import.meta.url), 'utf8')
    const more = app.replace(
      "add('GET', '/', ",
      "add('GET', '/new', fn (): ResponseInterface => self::json(['new' => 1]));\n        $this->router->add('GET', '/', ",
    )
    const home = '{ name: home, path: / }'
    const file = (workloads: string, percent: number): Files =>
      config('[fpm, fibers]', workloads, `database: none\nblocks: 1\ngate: { max-regression: ${percent}, resolution: 95 }\n`)
    const directory = await repository({
      base: file(`[${home}]`, 5),
      head: { ...file(`[${home}, { name: new, path: /new }]`, 90), 'src/Core/App.php': more },
    })
    const { code, output, read } = await measure(directory)
    assert.equal(code, 0, output)
    assert.doesNotMatch(output, /This pull request/)
    assert.equal(JSON.parse(read('run.json')).gate['max-regression'], 90)
    assert.match(read('summary.md'), /`new`: base answers 404[\s\S]*/)
    assert.deepEqual(
      JSON.parse(read('analysis.json')).cells.map((cell: { workload: string; verdict: string }) => `${cell.workload} ${cell.verdict}`),
      ['home not-gated', 'new new'],
    )
  })

  test('a mode by command', async () => {
    // The server of such a script is in another session than the script, as php-fpm is by itself.
    const modes = '[fpm, { name: own, kind: async, command: "setsid php -S 127.0.0.1:{port} bench/own.php & wait", health: / }]'
    // 1 ms of CPU by the process's own count: a bound on what must be seen that holds on a machine of any speed.
    const own = {
      'bench/own.php': `<?php
        $used = fn (): int => ($u = getrusage())['ru_utime.tv_sec'] * 1_000_000 + $u['ru_utime.tv_usec'] + $u['ru_stime.tv_sec'] * 1_000_000 + $u['ru_stime.tv_usec'];
        for ($start = $used(); $used() - $start < 1000;);
        header('Content-Type: application/json');
        echo json_encode(['status' => 'ok']);`,
    }
    const directory = await repository({ base: { ...config(modes, '[{ name: home, path: / }]', 'database: none\nblocks: 1\n'), ...own } })
    const { code, output, read } = await measure(directory)
    assert.equal(code, 0, output)
    const [names, ...runs] = read('samples.csv')
      .trim()
      .split('\n')
      .map((line) => line.split(','))
    const cpuOf = (mode: string): number[] =>
      runs.filter((run) => run.includes(mode)).map((run) => Number(run[names?.indexOf('cpu_us_per_request') ?? -1]))
    assert.ok(cpuOf('own').length > 0 && cpuOf('own').every((us) => us > 900), `${cpuOf('own')}: the server's CPU time counts`)
    assert.deepEqual(await leftovers(), [])
    assert.equal((await exec(['pgrep', '-f', 'bench/own.php'], apart())).stdout, '')
  })

  test('built-in workloads are refused if the app has its own server', async () => {
    const directory = await repository({
      base: config('[fpm, { name: own, kind: async, command: "x" }]', '[fibonacci]', 'database: none\n'),
    })
    const { code, output } = await measure(directory)
    assert.equal(code, 2)
    assert.match(output, /workloads: fibonacci is built in and cannot run in the mode own, which has its own server/)
  })

  for (const [example, asyncMode] of [
    ['slim', 'fibers'],
    ['symfony', 'fibers'],
    ['laravel', 'swoole-sync'],
  ] as const) {
    test(`the example for ${example}`, async (context) => {
      const directory = join(temporary(), example)
      cpSync(join(PACKAGE, 'examples', example), directory, { recursive: true, filter: (source) => !source.includes('/vendor') })
      const installable = await exec(['composer', 'update', '--dry-run', '--no-interaction'], {
        cwd: directory,
        env: { ...process.env, COMPOSER_ALLOW_SUPERUSER: '1' },
      })
      if (installable.code !== 0) return context.skip(`Composer cannot install ${example} here`)
      if (asyncMode === 'swoole-sync' && noSwoole) return context.skip(noSwoole)
      await git(directory, 'init', '--quiet')
      await commit(directory, {}, 'base')
      await commit(directory, {}, 'head')
      const { code, output, read } = await measure(directory, '--modes', `fpm,${asyncMode}`, '--profile', 'quick', '--blocks', '1')
      assert.equal(code, 0, output)
      assert.equal(plannedRows(read('samples.csv')).length, 2 * 2 * 4)
    })
  }

  test('without swoole the gate stops, and says what was tried', { skip: noSwoole ? false : 'php -m has swoole' }, async () => {
    const directory = await repository({ base: config('[fpm, swoole]', '[fibonacci]') })
    const { code, output } = await measure(directory)
    assert.equal(code, 3)
    assert.match(output, /ext-swoole \(the mode swoole\)[\s\S]*Tried:[\s\S]*php\d\.\d-swoole[\s\S]*PECL/)
  })
})
