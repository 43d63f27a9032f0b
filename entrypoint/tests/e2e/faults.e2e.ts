/** What goes wrong, one by one: never a pass that should not be, always a message that says what to do, nothing left running. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { exec } from '../../exec.ts'
import { PACKAGE } from '../../folders.ts'
import { processes } from '../../processes.ts'
import type { Mode } from '../../types.ts'
import {
  CLI,
  type CliResult,
  cli,
  engineOver,
  eventually,
  type Files,
  git,
  hasExtension,
  leftovers,
  repository,
  temporary,
} from './harness.ts'

const hasSwoole = await hasExtension('swoole')
const HOME = '{ name: home, path: / }'
const config = (more = '', workloads = `[${HOME}]`, mode = 'fibers'): Files => ({
  'bench.yml': `modes: [fpm, ${mode}]\nworkloads: ${workloads}\nloads: { low: { concurrency: 4 } }\nprofile: quick\nbudget: 20m\nblocks: 1\ndatabase: none\n${more}`,
})
/** An app that answers each request with the code given; `$n` counts the requests of its instance. */
const app = (code: string, outside = ''): Files => ({
  'bench/app.php': `<?php
require_once __DIR__ . '/../vendor/autoload.php';
use Nyholm\\Psr7\\Response;
${outside}
return static fn (array $context): object => new class implements Psr\\Http\\Server\\RequestHandlerInterface {
    public function handle(Psr\\Http\\Message\\ServerRequestInterface $request): Psr\\Http\\Message\\ResponseInterface
    {
        static $n = 0;
        $n++;
        ${code}
        return new Response(200, [], 'right');
    }
};
`,
})

/** A program that runs a line of shell. */
function program(directory: string, name: string, line: string): void {
  writeFileSync(join(directory, name), `#!/bin/sh\n${line}\n`)
  chmodSync(join(directory, name), 0o755)
}

async function run(files: { base?: Files; head?: Files }, args: string[] = [], env: Record<string, string> = {}): Promise<CliResult> {
  const directory = await repository({ ...files, base: { ...config(), ...files.base } })
  return cli(['run', '--workspace', directory, '--config', 'bench.yml', '--out', join(directory, 'out'), ...args], { env })
}

function expectFault(result: CliResult, code: number, message: RegExp): void {
  assert.match(result.output, message)
  assert.equal(result.code, code, result.output)
}

afterEach(async () => assert.deepEqual(await leftovers(), []))

describe('the app', () => {
  test('has a fatal error at boot', async () => {
    expectFault(
      await run({ head: app('', 'call_to_nothing();') }),
      3,
      /fpm of head did not start:.*[\s\S]*undefined function call_to_nothing/,
    )
  })
  test('says on its standard error why it fails', async () => {
    expectFault(
      await run({ head: app('file_put_contents(\'php://stderr\', "the cache is cold\\n"); return new Response(500);') }),
      3,
      /head\/fpm, workload home: expected status 200, got 500[\s\S]*The server's log ends with:[\s\S]*the cache is cold/,
    )
  })
  test('answers 200 with a wrong body', async () => {
    const base = { ...config('', '[{ name: home, path: /, expect: { contains: right } }]'), ...app('') }
    expectFault(
      await run({ base, head: app("return new Response(200, [], 'sorry');") }),
      3,
      /head\/fpm, workload home: expected a body with "right", got "sorry"/,
    )
  })
  test('hangs', async () => {
    expectFault(
      await run({ head: app('sleep(40);') }),
      3,
      /head\/fpm, workload home: expected an answer with status 200, but: no answer within 30 s/,
    )
  })
  test('answers 500 to one in a hundred, in head only', async () => {
    const result = await run({ base: app(''), head: app('if (mt_rand(1, 100) === 1) { return new Response(500); }') }, ['--modes', 'fpm'])
    assert.ok([1, 3].includes(result.code), result.output)
    assert.match(result.output, /Head answers with errors|expected status 200, got 500/)
  })
  test('answers 500 to one in a hundred, in both', async () => {
    const result = await run({ base: app('if (mt_rand(1, 100) === 1) { return new Response(500); }') }, ['--modes', 'fpm'])
    expectFault(result, 3, /error rate of base is too high|expected status 200, got 500/)
  })
})

/** Waits 2 ms so that other requests run meanwhile. */
const WAITS = {
  fibers: '$s = Revolt\\EventLoop::getSuspension(); Revolt\\EventLoop::delay(0.002, fn () => $s->resume()); $s->suspend();',
  swoole: 'Swoole\\Coroutine::sleep(0.002);',
}

for (const mode of ['fibers', 'swoole'] as const) {
  const skip = mode === 'swoole' && !hasSwoole ? 'php -m has no swoole' : false
  describe(`the app in ${mode}`, { skip }, () => {
    const base = (more = '', workloads = `[${HOME}]`): Files => config(more, workloads, mode)

    test('answers otherwise than in the other mode', async () => {
      expectFault(
        await run({ base: base(), head: app("if (PHP_SAPI === 'cli') { return new Response(200, [], 'wrong'); }") }),
        3,
        new RegExp(`head/${mode}, workload home: answers differently from head/fpm[^]*expected "right", got "wrong"`),
      )
    })
    test('shares state between requests', async () => {
      const shared = app(
        `$id = $request->getUri()->getPath(); if (PHP_SAPI !== 'cli') { return new Response(200, [], $id); } $this->id = $id; ${WAITS[mode]} return new Response(200, [], $this->id);`,
      )
      shared['bench/app.php'] = (shared['bench/app.php'] as string).replace(
        '{\n    public function',
        '{\n    public string $id = "";\n    public function',
      )
      expectFault(
        await run({ base: { ...base('instances: shared\n', '[{ name: user, path: "/{id}" }]'), ...shared } }),
        3,
        new RegExp(`${mode}, workload user, 4 requests at a time: the answer for id \\d differs[^]*share state\\?`),
      )
    })
    for (const [victim, command, killed] of [
      ['a child of php-fpm', 'php-fpm: pool', 'fpm'],
      ['a worker', `runtimes/${mode}/server.php`, mode],
    ] as const) {
      test(`has ${victim} killed in the middle`, async () => {
        const directory = await repository({ base: base() })
        const args = ['run', '--workspace', directory, '--config', 'bench.yml', '--modes', killed, '--blocks', '2']
        const running = cli([...args, '--out', join(directory, 'out')])
        // In the second quad, again and again, so that one falls into a slice: the master replaces it, and only few requests fail.
        const seen = new Map<number, number>()
        const killer = setInterval(() => {
          const all = isLoaded(directory) ? processes().filter(({ pid }) => commandOf(pid).includes(command)) : []
          const worker = all.find(({ pid, session }) => pid !== session)
          if (!worker) return
          const looks = (seen.get(worker.session) ?? 0) + 1
          seen.set(worker.session, looks)
          if (looks % 12 === 0) kill(worker.pid)
        }, 200)
        const result = await running
        clearInterval(killer)
        assert.notEqual(result.code, 0, result.output)
        assert.match(result.output, /worker-lost/)
      })
    }
    test('leaks 1 MB a request', async () => {
      const leaking = app('static $leak = []; $leak[] = str_repeat("x", 1 << 20);')
      const result = await run({ base: { ...base(), ...app('') }, head: leaking }, ['--modes', mode])
      assert.ok([1, 3].includes(result.code), result.output)
      assert.match(result.output, /worker-lost|closed|reset|got 500|but:/)
    })
  })
}

describe('the configuration', () => {
  const cases: [string, string, RegExp][] = [
    ['an unknown key', 'workload: []', /bench\.yml:8: unknown key "workload"; did you mean "workloads"\?/],
    ['a wrong type', 'connections: [1]', /bench\.yml:8: connections: found a list of 1, allowed: a number/],
    ['an impossible budget', 'env: {}', /budget: 50 blocks of 1 cells take \d+ minutes, the budget is 1\.0\. Allowed: budget: \d+m/],
  ]
  for (const [what, more, message] of cases) {
    test(what, async () =>
      expectFault(
        await run({ base: config(`${more}\n`) }, what === 'an impossible budget' ? ['--budget', '1m', '--blocks', '50'] : []),
        2,
        message,
      ),
    )
  }
  test('a path traversal in a workload name', async () => {
    expectFault(await run({ base: config('', '["../../etc"]') }), 2, /workloads\.0: found "\.\.\/\.\.\/etc"/)
  })
  test('an unknown option and an unknown verb', async () => {
    expectFault(await cli(['run', '--budgett', '1m']), 2, /--budgett.*did you mean "--budget"/)
    expectFault(await cli(['rnu']), 2, /did you mean "run"/)
  })
})

describe('the revisions', () => {
  test('base ref absent', async () => {
    expectFault(await run({}, ['--baseline', 'v9.9.9']), 2, /baseline: "v9\.9\.9" is not in this repository and could not be fetched/)
  })
  test('base without the benchmark: the absolute gate, and it is said', async () => {
    const directory = await repository({ base: config() })
    await git(directory, 'rm', '--quiet', 'bench/app.php')
    await git(directory, 'commit', '--quiet', '-m', 'without')
    await git(directory, 'checkout', '--quiet', 'HEAD~1', '--', 'bench/app.php')
    await git(directory, 'commit', '--quiet', '-m', 'with')
    const result = await cli(['run', '--workspace', directory, '--config', 'bench.yml', '--out', join(directory, 'out')])
    expectFault(result, 0, /Not gated/)
    assert.match(result.output, /warning: base \(HEAD\^1\) has no bench\/app\.php yet/)
  })
  test('dirty tree: measured without it, and it is said, also with a read-only home and in another locale', async () => {
    const directory = await repository({ base: config() })
    writeFileSync(join(directory, 'bench/app.php'), '<?php syntax error')
    const env = { HOME: '/proc/1', LC_ALL: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8' }
    expectFault(
      await cli(['run', '--workspace', directory, '--config', 'bench.yml', '--out', join(directory, 'out')], { env }),
      0,
      /Not gated[\s\S]*1 changed files are not committed; the commit \w+ is measured without them/,
    )
  })
  test('no repository', async () => {
    expectFault(await cli(['run', '--workspace', temporary(), '--modes', 'fpm,fibers', '--database', 'none']), 2, /not a git repository/)
  })
})

describe('the machine', () => {
  test('a leftover server of an earlier run answers: never measured', async () => {
    const router = join(temporary(), 'router.php')
    writeFileSync(router, `<?php echo '{"nonce":"of an earlier run","pid":1}';`)
    const foreign = { command: ['php', '-S', '127.0.0.1:{port}', router] }
    await assert.rejects(startWith([foreign]), /odd of head did not start: another server answers at http:\/\/127\.0\.0\.1:\d+/)
  })
  test('port taken', async () => {
    const squatter = { command: ['php', '-S', '127.0.0.1:{port}', '/nowhere.php'] }
    const fibers = { command: ['sh', '-c', 'sleep 1; exec php "$0"', join(PACKAGE, 'runtimes', 'fibers', 'server.php')] }
    await assert.rejects(startWith([squatter, fibers]), /Port \d+ cannot be opened: Address already in use/)
  })
  test('hey, and R, missing: what is missing is named, and nothing is measured', async () => {
    // A machine where only these programs are installed, and apt reaches nothing.
    const bin = temporary()
    for (const name of ['php', 'git', 'sh', 'node', 'composer', 'env', 'ls', 'pgrep']) {
      const { stdout } = await exec(['sh', '-c', `command -v ${name}`])
      symlinkSync(stdout.trim(), join(bin, name))
    }
    for (const name of ['apt-get', 'apt-cache', 'sudo']) program(bin, name, 'echo "E: no network" >&2; exit 100')
    const directory = await repository({ base: config() })
    const result = await cli(['run', '--workspace', directory, '--config', 'bench.yml'], { env: { PATH: bin } })
    expectFault(result, 3, /hey \(makes the load\): not on the PATH[\s\S]*Rscript[\s\S]*Tried:[\s\S]*apt/)
  })
  test("MySQL where only MariaDB is, under MySQL's name", async () => {
    const bin = temporary()
    for (const name of ['apt-get', 'apt-cache', 'sudo']) program(bin, name, 'exit 100')
    program(bin, 'mysqld', 'echo "mysqld  Ver 10.11.6-MariaDB for debian-linux-gnu"')
    const text = config()['bench.yml'] as string
    const directory = await repository({ base: { 'bench.yml': text.replace('database: none', 'database: mysql') } })
    const result = await cli(['run', '--workspace', directory, '--config', 'bench.yml'], { env: { PATH: `${bin}:${process.env.PATH}` } })
    expectFault(
      result,
      3,
      /mysql \(a private database for each revision\): no mysqld but, at most, MariaDB's[\s\S]*no package mysql-server/,
    )
  })
  test('package without network', async () => {
    const directory = await repository({ base: { ...config(), 'composer.json': '{"require":{"async-php-bench/does-not-exist":"^1.0"}}' } })
    expectFault(
      await cli(['run', '--workspace', directory, '--config', 'bench.yml', '--out', join(directory, 'out')], {
        env: { COMPOSER_DISABLE_NETWORK: '1' },
      }),
      3,
      /head: composer could not install the app's packages/,
    )
  })
  test('disk full in the work directory', async (context) => {
    const small = join(temporary(), 'small')
    mkdirSync(small)
    const mounted = await exec(['mount', '-t', 'tmpfs', '-o', 'size=200k', 'tmpfs', small])
    if (mounted.code !== 0) return context.skip('a small file system cannot be mounted here')
    try {
      const result = await run({}, [], { TMPDIR: small })
      assert.ok([2, 3].includes(result.code), result.output)
      assert.match(result.output, /space|ENOSPC|unable to write|cannot/i)
    } finally {
      await exec(['umount', small])
    }
  })
  test('database killed in the middle', async () => {
    const directory = await repository({ base: config('setup: [php bin/setup.php]\n') })
    writeFileSync(join(directory, 'bench.yml'), readFileSync(join(directory, 'bench.yml'), 'utf8').replace('database: none\n', ''))
    const args = ['run', '--workspace', directory, '--config', 'bench.yml', '--modes', 'fpm', '--blocks', '2']
    const running = cli([...args, '--out', join(directory, 'out')])
    let killed = false
    const killer = setInterval(() => {
      const server = processes().find(({ pid }) => commandOf(pid).includes('mariadbd') && commandOf(pid).includes('async-php-bench-'))
      if (!killed && isLoaded(directory) && server) {
        killed = true
        process.kill(server.pid, 'SIGKILL')
      }
    }, 200)
    const result = await running
    clearInterval(killer)
    expectFault(result, 3, /The database server died \(signal SIGKILL\)/)
  })
})

describe('cancelled', () => {
  const cancelled = async (...waits: number[]): Promise<{ code: number | null; output: string; directory: string }> => {
    const directory = await repository({ base: config() })
    const args = ['run', '--workspace', directory, '--config', 'bench.yml', '--blocks', '2', '--out', join(directory, 'out')]
    const child = spawn(process.execPath, [CLI, ...args])
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    await eventually(
      () => output,
      (text) => text.includes('run 1/') || child.exitCode !== null,
      120_000,
    )
    for (const wait of waits) {
      child.kill('SIGINT')
      await sleep(wait)
    }
    return { code: await ended, output, directory }
  }
  test('once: it stops, keeps what it has and reports', async () => {
    const { code, output, directory } = await cancelled(0)
    assert.equal(code, 3, output)
    assert.match(output, /cancelled/)
    assert.ok(readFileSync(join(directory, 'out', 'samples.csv'), 'utf8').split('\n').length > 2)
    assert.match(readFileSync(join(directory, 'out', 'summary.md'), 'utf8'), /Invalid/)
    assert.equal((await git(directory, 'worktree', 'list')).split('\n').length, 1)
  })
  test('twice: it stops at once', async () => {
    const { code, output } = await cancelled(5, 0)
    assert.ok(code === 130 || code === 3, output)
  })
  test('killed hard: the next start clears what was left', async () => {
    const directory = await repository({ base: config() })
    const args = ['run', '--workspace', directory, '--config', 'bench.yml', '--blocks', '2', '--out', join(directory, 'out')]
    const child = spawn(process.execPath, [CLI, ...args])
    await eventually(
      () => isLoaded(directory),
      (loaded) => loaded,
      120_000,
    )
    child.kill('SIGKILL')
    await sleep(200)
    assert.notDeepEqual(await leftovers(), [])
    expectFault(
      await cli(['plan', '--workspace', directory, '--config', 'bench.yml', '--out', join(directory, 'out')]),
      0,
      /removed what a killed job left/,
    )
  })
})

/** Starts a runtime that is made of other commands than it should be. */
async function startWith(commands: { command: string[] }[]): Promise<void> {
  const { engine, modes } = await engineOver(temporary(), 'modes: [fibers]\nworkloads: [fibonacci]\ndatabase: none')
  const mode = modes[0] as Extract<Mode, { via: 'runtime' }>
  try {
    await (
      await engine.start(
        { revision: 'head', mode: { ...mode, runtime: { ...mode.runtime, name: 'odd', processes: commands }, name: 'odd' } },
        'preflight',
      )
    ).stop()
  } finally {
    await engine.close()
  }
}

/** Whether a job has made its first quad. */
function isLoaded(directory: string): boolean {
  return existsSync(join(directory, 'out', 'samples.csv'))
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
