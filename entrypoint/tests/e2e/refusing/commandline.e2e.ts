/** The command line from outside: help, a plan without a pilot, and a new repository's first mistakes. */
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { PACKAGE } from '../../../config/catalog.ts'
import { apart } from '../../../system/environment.ts'
import { exec } from '../../../system/exec.ts'
import { config, expectFault } from '../broken.ts'
import { cli, commit, git, repository, temporary } from '../harness.ts'

describe('help', () => {
  test('and the version are printed and end with 0', async () => {
    const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string }
    assert.deepEqual(await cli(['--version']), { code: 0, output: `${version}\n` })
    for (const args of [[], ['--help']]) {
      const { code, output } = await cli(args)
      assert.equal(code, 0)
      assert.match(output, /^async-php-bench VERB \[options\]\n[\s\S]*\n {2}--samples FILE… /)
    }
    for (const args of [
      ['analyse', '--help'],
      ['help', 'analyse'],
      ['analyse', '--samples', 'a', '-h'],
    ]) {
      assert.match((await cli(args)).output, /^async-php-bench analyse \[options\]\n[\s\S]*--looks 1\|2\|4 /)
    }
  })
  test('is not printed for wrong options', async () => {
    expectFault(await cli(['analyse', '--samples', 'a', '--out', 'b', '--looks', '1.5']), 2, /^--looks: found "1\.5", allowed: 1, 2, 4\n$/)
    expectFault(await cli(['analyse', '--samples', 'a', '--out', 'b', 'c']), 2, /found "c" after --out, which takes one value/)
  })
})

describe('analyse', () => {
  test('takes every file by a path from here', async () => {
    const directory = temporary()
    const fromHere = (name: string): string => relative(process.cwd(), join(directory, name))
    const recorded = gunzipSync(readFileSync(join(PACKAGE, 'r/calibration/recorded/quiet/aa.csv.gz'))).toString()
    writeFileSync(join(directory, 'samples.csv'), `${recorded.split('\n').slice(0, 41).join('\n')}\n`)
    writeFileSync(join(directory, 'other.json'), JSON.stringify({ seed: 4711 }))
    const files = ['--samples', fromHere('samples.csv'), '--run', fromHere('other.json'), '--out', fromHere('out')]
    const { output } = await cli(['report', ...files, '--no-report'])
    assert.match(output, /seed 4711/)
  })
})

describe('plan --dry', () => {
  test('prints what a run would do, quickly, and does none of it', async () => {
    const directory = await repository({
      base: config('setup: [php bin/setup.php]\n', '[fibonacci, { name: home, path: /, expect: { contains: right } }]'),
    })
    const before = await exec(['find', directory, '-not', '-path', '*/.git/*', '-newer', join(directory, 'bench.yml')], apart())
    const started = performance.now()
    const { code, output } = await cli(['plan', '--dry', '--workspace', directory, '--config', 'bench.yml', '--blocks', '6'])
    const took = performance.now() - started
    assert.equal(code, 0, output)
    for (const line of [
      `head  ${(await git(directory, 'rev-parse', 'HEAD')).slice(0, 10)}`,
      `base  HEAD^1 (${(await git(directory, 'rev-parse', 'HEAD~1')).slice(0, 10)})`,
      'fpm (sync; the reference): PHP-FPM with a static pool behind nginx',
      'nothing would be installed',
      'setup: php bin/setup.php',
      'no database',
      'home/low: concurrency 4; GET /, expects 200 and "right"',
      'arms: base/fpm, head/fpm, base/fibers, head/fibers',
      // 2 cells of 0.5 s and 4 arms of 1 s + 2 s + 1.6 s each, six times.
      '6 blocks x 2 cells x 4 arms = 48 runs, at least 2.5 minutes',
      'The true time is unknown until the pilot has measured the latencies: slow responses need longer windows.',
      'max-regression: 5',
    ])
      assert.ok(output.includes(`  ${line}\n`), `${line} is missing in:\n${output}`)
    assert.match(output, /composer update --no-dev --classmap-authoritative/)
    const after = await exec(['find', directory, '-not', '-path', '*/.git/*', '-newer', join(directory, 'bench.yml')], apart())
    assert.equal(after.stdout, before.stdout)
    assert.ok(!existsSync(join(directory, 'vendor')))
    assert.equal((await git(directory, 'worktree', 'list')).split('\n').length, 1)
    // It takes a second on a quiet machine. A run that serves takes at least eight.
    assert.ok(took < 8000, `${took} ms`)
  })
  test('reports an A/A measurement if base is head', async () => {
    const directory = await repository({ base: config() })
    const { output } = await cli([
      'plan',
      '--dry',
      '--workspace',
      directory,
      '--config',
      'bench.yml',
      '--blocks',
      '6',
      '--baseline',
      'HEAD',
    ])
    assert.match(output, /base {2}HEAD \([0-9a-f]{10}\)\n {2}base and head are the same commit: this is an A\/A measurement\n\nModes/)
  })
  test('names what is missing and how it would be installed', async () => {
    const bin = temporary()
    // Asking apt takes a second per name, as long as the whole dry plan.
    program(bin, 'apt-cache', 'touch "$0.asked"')
    const ini = temporary()
    const directory = await repository({ base: { ...config(), 'composer.json': '{"require":{"ext-async-php-bench":"*"}}' } })
    const { code, output } = await cli(['plan', '--dry', '--workspace', directory, '--config', 'bench.yml', '--modes', 'fpm,swoole'], {
      // No extension of PHP is loaded.
      env: { PATH: `${bin}:${process.env.PATH}`, PHP_INI_SCAN_DIR: ini },
    })
    assert.equal(code, 0, output)
    assert.match(output, /missing: ext-swoole \(the mode swoole\); a run would try apt: php\d\.\d-swoole, then PECL: swoole\n/)
    assert.match(output, /missing: ext-async-php-bench \(composer\.json requires it\); a run would try apt: php\d\.\d-async-php-bench\n/)
    assert.doesNotMatch(output, /nothing would be installed/)
    assert.ok(!existsSync(join(bin, 'apt-cache.asked')))
  })
  test('refuses what containers cannot serve, with or without a daemon', async () => {
    const directory = await repository({ base: config('', '[upstream]') })
    const done = await cli(['plan', '--dry', '--workspace', directory, '--config', 'bench.yml', '--engine', 'docker'])
    expectFault(
      done,
      2,
      /^workloads: the slow upstream is a process of this machine, which containers do not reach\. Allowed: engine: host/,
    )
  })
  test("reads the commit's ids-file, not the work tree's, and refuses its faults", async () => {
    const files = config('', '[{ name: user, path: "/users/{id}", ids-file: ids.txt }]')
    const dry = (directory: string) => cli(['plan', '--dry', '--workspace', directory, '--config', 'bench.yml', '--blocks', '6'])
    expectFault(
      await dry(await repository({ base: files })),
      2,
      /^bench\.yml:\d+: workloads\.user\.ids-file: the revision has no file ids\.txt\. Commit it/,
    )
    const directory = await repository({ base: { ...files, 'ids.txt': '\n7\na b\n' } })
    writeFileSync(join(directory, 'ids.txt'), '7\n')
    expectFault(await dry(directory), 2, /^bench\.yml:\d+: workloads\.user\.ids-file: ids\.txt:3: found "a b": must be URL-encoded ASCII/)
    await commit(directory, { 'ids.txt': '8\n' }, 'other identities')
    await commit(directory, { 'ids.txt': '9\n' }, 'redefined')
    assert.match((await dry(directory)).output, /user\/low: .*; reported, not gated/)
  })
  test('refuses a budget that not even the shortest runs fit', async () => {
    const directory = await repository({ base: config() })
    expectFault(
      await cli(['plan', '--dry', '--workspace', directory, '--config', 'bench.yml', '--blocks', '6', '--budget', '1m']),
      2,
      /^input: budget: found 1m, allowed: at least 2m, which 6 blocks of home\/low take with the shortest runs\n$/,
    )
  })
})

describe('a repository that was just prepared', () => {
  test('is refused until its app is committed, and then until the stub was edited', async () => {
    const directory = temporary()
    await git(directory, 'init', '--quiet')
    await commit(directory, { 'vendor/autoload.php': '<?php' }, 'base')
    assert.equal((await cli(['init', '--workspace', directory])).code, 0)
    const run = () => cli(['run', '--workspace', directory, '--modes', 'fpm,fibers', '--database', 'none', '--out', join(directory, 'out')])
    expectFault(await run(), 2, /app: bench\/app\.php exists but is not committed\.[\s\S]*git add bench\/app\.php && git commit/)
    await commit(directory, {}, 'head')
    expectFault(
      await run(),
      2,
      /^head: bench\/app\.php:\d+: threw LogicException: not edited yet\. Make your app here and remove this line\.$/m,
    )
  })
  test('is not created by a typing mistake', async () => {
    const typo = join(temporary(), 'typo')
    expectFault(
      await cli(['init', '--workspace', typo]),
      2,
      /workspace: found .*\/typo, which does not exist; allowed: the root of a repository/,
    )
    assert.ok(!existsSync(typo))
  })
})

describe('an extension that the app requires', () => {
  test('is missing for doctor, and installed by provision', async () => {
    const { stdout } = await exec(['php', '-r', 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;'], apart())
    const name = `php${stdout}-async-php-bench`
    const directory = temporary()
    writeFileSync(join(directory, 'composer.json'), '{"require":{"ext-async-php-bench":"*"}}')
    // The package replaces a loaded extension, with a php-fpm and a Composer that know it.
    const bin = temporary()
    const done = join(bin, 'installed')
    const answer = (status: string) =>
      `[{"name":"ext-async-php-bench","version":"1","status":"${status}","provider":null,"failed_requirement":${status === 'missing' ? '{"source":"__root__","constraint":"*"}' : 'null'}}]`
    program(bin, 'composer', `[ -e ${done} ] && echo '${answer('success')}' || echo '${answer('missing')}'`)
    program(bin, `php-fpm${stdout}`, `[ "$1" = -v ] && echo 8.2.1; [ -e ${done} ] && echo async-php-bench; exit 0`)
    program(bin, 'apt-cache', 'echo "  Candidate: 1.0"')
    program(bin, 'apt-get', `case "$*" in *" install "*" ${name}") touch ${done};; esac`)
    const args = ['--workspace', directory, '--modes', 'fpm,fibers', '--database', 'none', '--yes']
    // `sudo -n` has another user's PATH, so root installs here.
    const env = { PATH: `${bin}:${process.env.PATH}` }
    program(bin, 'sudo', 'shift; exec "$@"')

    expectFault(
      await cli(['doctor', ...args], { env }),
      3,
      new RegExp(`ext-async-php-bench +missing, apt: ${name} +not in php -m +composer\\.json requires it`),
    )
    const provisioned = await cli(['provision', ...args], { env })
    assert.equal(provisioned.code, 0, provisioned.output)
    assert.match(provisioned.output, new RegExp(`missing, required by the app: ext-async-php-bench\n(.*\n)*apt-get install ${name}\n`))
    assert.ok(existsSync(done))
    assert.doesNotMatch((await cli(['doctor', ...args], { env })).output, /async-php-bench +missing/)
  })
  test('without a package is only a warning, because Composer refuses it', async () => {
    const directory = temporary()
    const bin = temporary()
    for (const name of ['apt-get', 'apt-cache']) program(bin, name, 'exit 100')
    program(bin, 'sudo', 'shift; exec "$@"')
    writeFileSync(join(directory, 'composer.json'), '{"require":{"ext-async-php-bench":"*","php":"^99"}}')
    const { code, output } = await cli(['provision', '--workspace', directory, '--modes', 'fpm,fibers', '--database', 'none', '--yes'], {
      env: { PATH: `${bin}:${process.env.PATH}` },
    })
    assert.equal(code, 0, output)
    assert.match(output, /warning: the app lacks ext-async-php-bench \(composer\.json requires it\): not in php -m/)
    assert.match(output, /warning: the app lacks php \(composer\.json requires \^99\): 8\.\S+, which \^99 excludes/)
    assert.match(output, /warning: apt: no package php\d\.\d-async-php-bench/)
  })
})

/** A program that runs a line of shell. */
function program(directory: string, name: string, line: string): void {
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, name), `#!/bin/sh\n${line}\n`)
  chmodSync(join(directory, name), 0o755)
}
