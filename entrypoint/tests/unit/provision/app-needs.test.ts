/** The app's requirements of PHP: Composer's answer if there is one, else a look-up by name. */
import assert from 'node:assert/strict'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, describe, test } from 'node:test'
import { modesOf } from '../../../config/modes.ts'
import { parseConfig } from '../../../config/parse.ts'
import { appNeeds } from '../../../provision/app-needs.ts'
import { packageFor } from '../../../provision/apt.ts'
import { parseReport } from '../../../provision/composer-check.ts'
import type { Finding } from '../../../provision/finding.ts'
import type { Scope } from '../../../provision/needs.ts'
import { apart } from '../../../system/environment.ts'
import { InputError } from '../../../system/errors.ts'
import { exec } from '../../../system/exec.ts'
import { which } from '../../../system/which.ts'

const root = mkdtempSync(join(tmpdir(), 'app-needs-'))
after(() => rmSync(root, { recursive: true, force: true }))
const { PATH, PHP_INI_SCAN_DIR } = process.env
function restoreEnvironment(): void {
  process.env.PATH = PATH
  if (PHP_INI_SCAN_DIR === undefined) delete process.env.PHP_INI_SCAN_DIR
  else process.env.PHP_INI_SCAN_DIR = PHP_INI_SCAN_DIR
}

const version = (await exec(['php', '-r', 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;'], apart())).stdout

/** An app with requirements, and a lock file if locked packages are given. */
function app(require: Record<string, string>, locked?: object[]): string {
  const directory = mkdtempSync(join(root, 'app-'))
  writeFileSync(join(directory, 'composer.json'), JSON.stringify({ require }))
  if (locked) writeFileSync(join(directory, 'composer.lock'), JSON.stringify({ packages: locked, 'packages-dev': [] }))
  return directory
}

function needs(directory: string | undefined, more: Partial<Scope> = {}): Promise<Finding[]> {
  const modes = modesOf(parseConfig('modes: [fpm, fibers]', 'c.yml'))
  return appNeeds(
    { engine: 'host', modes, database: { from: 'none' }, report: false, composer: true, apps: directory ? [directory] : [], ...more },
    [],
  )
}

async function need(name: string, directory: string): Promise<Finding> {
  return named(name, await needs(directory))
}

function named(name: string, findings: Finding[]): Finding {
  const found = findings.find((finding) => finding.name === name)
  assert.ok(found, `no ${name}`)
  return found
}

/** A folder at the beginning of PATH, with programs that run a line of shell. */
function programs(lines: Record<string, string>): string {
  const directory = mkdtempSync(join(root, 'bin-'))
  for (const [name, line] of Object.entries(lines)) {
    writeFileSync(join(directory, name), `#!/bin/sh\n${line}\n`)
    chmodSync(join(directory, name), 0o755)
  }
  return directory
}

describe('a requirement of the app', () => {
  afterEach(restoreEnvironment)

  test('is found if PHP has it, else missing', async () => {
    const directory = app({ php: '>=8.0', 'ext-json': '*', 'ext-async-php-bench': '*', 'some/package': '^1' })
    const found = await needs(directory)
    assert.deepEqual(
      found.map(({ name, state }) => [name, state]),
      [
        ['ext-async-php-bench', 'missing'],
        ['ext-json', 'found'],
        ['php', 'found'],
      ],
    )
    const missing = named('ext-async-php-bench', found)
    assert.deepEqual(
      [missing.why, missing.detail, missing.apt],
      ['composer.json requires it', 'not in php -m', [`php${version}-async-php-bench`]],
    )
  })
  test('may be an extension that this PHP was told not to load', async () => {
    const from = join('/etc/php', version, 'cli/conf.d')
    const ini = join(root, 'conf.d')
    cpSync(from, ini, { recursive: true })
    // Swoole may need curl. Without curl PHP warns before Composer answers.
    for (const name of readdirSync(ini).filter((entry) => entry.endsWith('-curl.ini'))) rmSync(join(ini, name))
    process.env.PHP_INI_SCAN_DIR = ini
    assert.equal((await need('ext-curl', app({ 'ext-curl': '*' }))).state, 'missing')
  })
  test('may be a version of PHP, judged by Composer', async () => {
    const { state, detail, why, apt } = await need('php', app({ php: '^9.1 || ^99' }))
    assert.deepEqual([state, why, apt], ['missing', 'composer.json requires ^9.1 || ^99', []])
    assert.match(detail, /^8\.\d+\.\d+.*, which \^9\.1 \|\| \^99 excludes$/)
  })
  test('may come from locked packages, and extensions that they replace are found', async () => {
    const polyfill = { name: 'a/polyfill', version: '1.0.0', provide: { 'ext-async-php-bench': '*' } }
    const needy = { name: 'a/needy', version: '1.0.0', require: { 'ext-of-needy': '*' } }
    const directory = app({ 'a/polyfill': '*', 'a/needy': '*', 'ext-async-php-bench': '*' }, [polyfill, needy])
    const found = await needs(directory)
    assert.equal(named('ext-async-php-bench', found).state, 'found')
    const missing = named('ext-of-needy', found)
    assert.deepEqual([missing.state, missing.why], ['missing', 'a/needy requires *'])
  })
  test('may be missing in php-fpm alone', async () => {
    process.env.PATH = `${programs({ [`php-fpm${version}`]: 'echo Core' })}:${PATH}`
    const missing = await need('ext-json', app({ 'ext-json': '*' }))
    assert.deepEqual([missing.state, missing.apt], ['missing', []])
    assert.match(missing.detail, /not in php-fpm -m; sudo phpenmod -s fpm json/)
  })
  test('is looked up by name without Composer, and a constraint is unknown', async () => {
    const bin = mkdtempSync(join(root, 'bin-'))
    symlinkSync(which('php') as string, join(bin, 'php'))
    process.env.PATH = bin
    const found = await needs(app({ php: '^8.1', 'ext-json': '*', 'ext-async-php-bench': '*' }))
    assert.deepEqual(
      found.map(({ name, state }) => [name, state]),
      [
        ['php', 'unknown'],
        ['ext-json', 'found'],
        ['ext-async-php-bench', 'missing'],
      ],
    )
    assert.match(found[0]?.why ?? '', /requires \^8\.1, which only Composer can check/)
  })
  test('does not exist without composer.json, or if the image has its own PHP', async () => {
    const empty = join(root, 'empty')
    mkdirSync(empty)
    assert.deepEqual(await needs(empty), [])
    assert.deepEqual(await needs(undefined), [])
    assert.deepEqual(await needs(app({ 'ext-async-php-bench': '*' }), { engine: 'docker' }), [])
  })
  test('never makes apt-get remove a package or choose a version', async () => {
    const bin = mkdtempSync(join(root, 'bin-'))
    symlinkSync(which('php') as string, join(bin, 'php'))
    process.env.PATH = bin
    const odd = ['ext-curl-', 'ext-curl=1', 'ext-curl/sid', 'ext-.*', 'ext-a b']
    const found = await needs(app(Object.fromEntries(odd.map((name) => [name, '*']))))
    assert.deepEqual(
      found.map(({ name, state, apt }) => [name, state, apt]),
      odd.map((name) => [name, 'missing', []]),
    )
  })
  test('comes from base or head, each finding once', async () => {
    const [base, head] = [app({ php: '>=8.0', 'ext-json': '*' }), app({ php: '>=8.0', 'ext-json': '*', 'ext-async-php-bench': '*' })]
    assert.deepEqual((await needs(undefined, { apps: [base, head] })).map(({ name, state }) => [name, state]).sort(), [
      ['ext-async-php-bench', 'missing'],
      ['ext-json', 'found'],
      ['php', 'found'],
    ])
  })
  test('is checked by Composer once if base and head require the same', async () => {
    const calls = join(root, 'calls')
    process.env.PATH = `${programs({ composer: `echo called >> ${calls}; echo '[]'` })}:${PATH}`
    const same = (): string => app({ 'ext-json': '*' }, [])
    await needs(undefined, { apps: [same(), same()] })
    assert.equal(readFileSync(calls, 'utf8'), 'called\n')
    await needs(undefined, { apps: [same(), app({ 'ext-json': '*' }, [{ name: 'a/b', version: '1.0.0' }])] })
    assert.equal(readFileSync(calls, 'utf8'), 'called\n'.repeat(3))
  })
  test('is wrong input if composer.json cannot be read', async () => {
    const directory = app({})
    for (const text of ['{', '{"require": ["a"]}']) {
      writeFileSync(join(directory, 'composer.json'), text)
      await assert.rejects(
        needs(directory),
        (error) => error instanceof InputError && /composer\.json: not a valid composer\.json/.test(error.message),
      )
    }
  })
})

test("Composer's answer is read after PHP's warnings, and a missing one is undefined", () => {
  const entry = { name: 'ext-a', version: '1', status: 'success', failed_requirement: null, provider: null }
  assert.equal(parseReport(`Warning: x [y]\n[\n${JSON.stringify(entry)}]`, {})?.[0]?.state, 'found')
  for (const text of ['', 'error', '[1]', '[{"name":1}]']) assert.equal(parseReport(text, {}), undefined)
})

test('an extension without a package of its name comes from the package that provides it', async (t) => {
  t.after(restoreEnvironment)
  process.env.PATH = `${programs({ 'apt-cache': 'case "$1 $2" in "policy php8.2-xml") echo "  Candidate: 8.2";; "showpkg php8.2-dom") printf "Package: x\\nReverse Provides: \\nphp8.2-xml 8.2.1 (= )\\n";; "showpkg php8.2-nope") printf "Reverse Provides: \\n";; *) echo "  Candidate: (none)";; esac' })}:${PATH}`
  assert.equal(await packageFor('php8.2-xml'), 'php8.2-xml')
  assert.equal(await packageFor('php8.2-dom'), 'php8.2-xml')
  assert.equal(await packageFor('php8.2-nope'), undefined)
})
