/** Faults before the measurement: never a wrong pass, always a message with advice, and no leftovers. */
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, test } from 'node:test'
import { PACKAGE } from '../../../config/catalog.ts'
import type { Mode } from '../../../config/experiment.ts'
import { apart } from '../../../system/environment.ts'
import { exec } from '../../../system/exec.ts'
import { app, config, expectFault, HOME, run } from '../broken.ts'
import { cli, engineOver, type Files, hasExtension, leftovers, repository, temporary } from '../harness.ts'

const hasSwoole = await hasExtension('swoole')

/** A program that runs a line of shell. */
function program(directory: string, name: string, line: string): void {
  writeFileSync(join(directory, name), `#!/bin/sh\n${line}\n`)
  chmodSync(join(directory, name), 0o755)
}

afterEach(async () => assert.deepEqual(await leftovers(), []))

/** A response with status 500, whose reason is only in the log. */
const PRINTS = 'file_put_contents(\'php://stderr\', "the cache is cold\\n"); return new Response(500);'

describe('the app', () => {
  test('has a fatal error at boot', async () => {
    const head = { ...app('', "require __DIR__ . '/boot.php';"), 'bench/boot.php': '<?php call_to_nothing();' }
    expectFault(
      await run({ head }),
      1,
      /Regressed: head does not start[\s\S]*fpm of head did not start:.*[\s\S]*undefined function call_to_nothing/,
    )
  })
  test('has an entry file that cannot be parsed: wrong input, said once', async () => {
    const result = await run({ base: { 'bench/app.php': '<?php\nreturn (;' } })
    expectFault(result, 2, /^base: bench\/app\.php:2: cannot be parsed: syntax error, unexpected token ";"\.$/m)
    assert.equal(result.output.match(/bench\/app\.php/g)?.length, 1, result.output)
  })
  for (const mode of ['fpm', 'fibers', 'swoole', 'swoole-sync']) {
    const skip = mode.startsWith('swoole') && !hasSwoole ? 'php -m has no swoole' : false
    test(`has an entry file that returns no factory, in ${mode}: wrong input`, { skip }, async () => {
      const project = temporary()
      mkdirSync(join(project, 'bench'))
      writeFileSync(join(project, 'bench', 'app.php'), '<?php')
      const { engine, modes } = await engineOver(project, `modes: [${mode}]\nworkloads: [fibonacci]\ndatabase: none`)
      await assert
        .rejects(
          engine.start({ revision: 'head', mode: modes[0] as Mode }, 'preflight'),
          /^InputError: head: bench\/app\.php: must return a closure, .*, but returned int\. A script that serves every path by itself is named by `front: bench\/app\.php` instead\.$/,
        )
        .finally(() => engine.close())
    })
  }
  test('prints to its standard error and fails in head alone: regressed, with the log in the results', async () => {
    const directory = await repository({ base: { ...config(), ...app('') }, head: app(PRINTS) })
    const out = join(directory, 'out')
    const result = await cli(['run', '--workspace', directory, '--config', 'bench.yml', '--out', out])
    expectFault(result, 1, /Regressed: head answers with errors[\s\S]*head\/fpm fails twice in preflight, while base passes it/)
    for (const file of ['summary.md', 'logs/preflight_head_fpm.log'])
      assert.match(readFileSync(join(out, file), 'utf8'), /the cache is cold/)
  })
  test('answers 200 with a wrong body', async () => {
    const base = { ...config('', '[{ name: home, path: /, expect: { contains: right } }]'), ...app('') }
    expectFault(
      await run({ base, head: app("return new Response(200, [], 'sorry');") }),
      1,
      /head\/fpm, workload home: GET \/: expected a body with "right", got "sorry"/,
    )
  })
  test('hangs', async () => {
    expectFault(
      await run({ base: app('sleep(40);') }),
      3,
      /base\/fpm, workload home: GET \/: expected an answer with status 200, but: no answer within 30 s/,
    )
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

    test('answers differently from the other mode', async () => {
      expectFault(
        await run({ base: base(), head: app("if (PHP_SAPI === 'cli') { return new Response(200, [], 'wrong'); }") }),
        1,
        new RegExp(
          `Regressed: head answers differently in its modes[^]*head/${mode}, workload home: GET /: answers differently from head/fpm[^]*expected "right", got "wrong"`,
        ),
      )
    })
    test('sets a cookie that only FPM sends', async () => {
      expectFault(
        await run({ base: base(), head: app("setcookie('cart', '7');") }),
        1,
        new RegExp(
          `Regressed: head answers differently in its modes[^]*head/${mode}, workload home: GET /: the headers differ from those of head/fpm: expected "Set-Cookie: cart", got no such header\\. .*setcookie`,
        ),
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
        new RegExp(`${mode}, workload user, 4 requests at a time: GET /\\d: the answer for id \\d differs[^]*share state\\?`),
      )
    })
  })
}

describe('the configuration', () => {
  const cases: [string, string, RegExp][] = [
    ['an unknown key', 'workload: []', /bench\.yml:8: unknown key "workload"; did you mean "workloads"\?/],
    ['a wrong type', 'connections: [1]', /bench\.yml:8: connections: found a list of 1, allowed: a number/],
    [
      'an impossible budget',
      'env: {}',
      /^input: budget: found 1m, allowed: at least \d+m, which 50 blocks of home\/low take with the shortest runs/m,
    ],
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
  test('modes that no gate can compare', async () => {
    for (const [modes, found] of [
      ['fibers,fpm', 'found fibers (async), fpm (sync), allowed: the synchronous reference first'],
      ['fpm', 'found one mode, allowed: a synchronous reference and an asynchronous mode'],
      ['swoole-sync,fpm', 'found swoole-sync (sync), fpm (sync), allowed'],
    ] as const) {
      const { code, output } = await run({ base: config() }, ['--modes', modes])
      assert.deepEqual([code, output.includes(`modes: ${found}`)], [2, true], output)
    }
  })
  test('a resolution below the tolerance', async () => {
    expectFault(
      await run({ base: config() }, ['--max-regression', '20', '--resolution', '5']),
      2,
      /input: gate\.resolution: found 5.*a pass excludes a loss of `resolution`, so it must be at least max-regression/,
    )
  })
  test('an ids-file that is not committed', async () => {
    const base = config('', '[{ name: user, path: "/{id}", ids-file: ids.txt }]')
    expectFault(await run({ base }), 2, /workloads\.user\.ids-file: the revision has no file ids\.txt\. Commit it/)
  })
  test('a path traversal in a workload name', async () => {
    expectFault(await run({ base: config('', '["../../etc"]') }), 2, /workloads\.0: found "\.\.\/\.\.\/etc"/)
  })
  test('an unknown option and an unknown verb', async () => {
    expectFault(await cli(['run', '--budgett', '1m']), 2, /--budgett.*did you mean "--budget"\? Allowed: --workspace, /)
    expectFault(await cli(['rnu']), 2, /did you mean "run"/)
  })
})

describe('the revisions', () => {
  test('base ref absent', async () => {
    expectFault(await run({}, ['--baseline', 'v9.9.9']), 2, /baseline: "v9\.9\.9" is not in this repository and could not be fetched/)
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
  test('hey and R missing: both are named, and nothing is measured', async () => {
    // A machine with only these programs, on which apt has no network.
    const bin = temporary()
    for (const name of ['php', 'git', 'sh', 'node', 'composer', 'env', 'ls', 'pgrep']) {
      const { stdout } = await exec(['sh', '-c', `command -v ${name}`], apart())
      symlinkSync(stdout.trim(), join(bin, name))
    }
    for (const name of ['apt-get', 'apt-cache', 'sudo']) program(bin, name, 'echo "E: no network" >&2; exit 100')
    const directory = await repository({ base: config() })
    const result = await cli(['run', '--workspace', directory, '--config', 'bench.yml'], { env: { PATH: bin } })
    expectFault(result, 3, /hey \(generates the load\): not on the PATH[\s\S]*Rscript[\s\S]*Tried:[\s\S]*apt/)
  })
  test("MySQL if only MariaDB is installed, under MySQL's name", async () => {
    const bin = temporary()
    for (const name of ['apt-get', 'apt-cache', 'sudo']) program(bin, name, 'exit 100')
    program(bin, 'mysqld', 'echo "mysqld  Ver 10.11.6-MariaDB for debian-linux-gnu"')
    const text = config()['bench.yml'] as string
    const directory = await repository({ base: { 'bench.yml': text.replace('database: none', 'database: mysql') } })
    const result = await cli(['run', '--workspace', directory, '--config', 'bench.yml'], { env: { PATH: `${bin}:${process.env.PATH}` } })
    expectFault(result, 3, /mysql \(a private database for each revision\): no mysqld, or only MariaDB's[\s\S]*no package mysql-server/)
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
    const mounted = await exec(['mount', '-t', 'tmpfs', '-o', 'size=200k', 'tmpfs', small], apart())
    if (mounted.code !== 0) return context.skip('a small file system cannot be mounted here')
    try {
      const result = await run({}, [], { TMPDIR: small })
      assert.ok([2, 3].includes(result.code), result.output)
      assert.match(result.output, /space|ENOSPC|unable to write|cannot/i)
    } finally {
      await exec(['umount', small], apart())
    }
  })
})

/** Starts a runtime with other commands than its own. */
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
