/** What `init` recognises, writes and prints. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { prepareRepository } from '../../../commands/init.ts'
import { RUN_OPTIONS } from '../../../commands/options.ts'
import { parse } from '../../../commands/parse.ts'
import { bare } from '../../../system/environment.ts'
import { InputError } from '../../../system/errors.ts'
import { exec } from '../../../system/exec.ts'
import { git } from '../../e2e/harness.ts'

const root = mkdtempSync(join(tmpdir(), 'init-'))
after(() => rmSync(root, { recursive: true, force: true }))
const folder = (): string => mkdtempSync(join(root, 'app-'))
const init = (workspace: string, { force = false, check = false } = {}) =>
  prepareRepository(workspace, { overwrites: force, writes: !check })

describe('init', () => {
  test('never overwrites without being told', async () => {
    const directory = folder()
    await init(directory)
    writeFileSync(join(directory, 'bench/app.php'), 'mine')
    assert.ok((await init(directory)).some((line) => /bench\/app\.php: exists, left as it is/.test(line)))
    assert.equal(readFileSync(join(directory, 'bench/app.php'), 'utf8'), 'mine')
    assert.ok(existsSync(join(directory, '.github/workflows/async-php-bench.yml')))
    await init(directory, { force: true })
    assert.match(readFileSync(join(directory, 'bench/app.php'), 'utf8'), /^<\?php/)
  })

  test('refuses a missing folder, and does not create it', async () => {
    const typo = join(root, 'typo')
    await assert.rejects(
      init(typo),
      (error) => error instanceof InputError && /workspace: found .*typo, which does not exist/.test(error.message),
    )
    assert.ok(!existsSync(typo))
    writeFileSync(join(root, 'file'), '')
    await assert.rejects(init(join(root, 'file')), /which is not a directory/)
  })

  test('lists the files to commit until they are committed', async () => {
    const directory = folder()
    const commands = [
      'next: git add bench/app.php .github/async-php-bench.yml .github/workflows/async-php-bench.yml',
      'next: git commit --message "Measure the asynchronous gain"',
    ]
    const before = await init(directory)
    assert.match(before.join('\n'), /next: git init \(this is not a git repository yet/)
    assert.deepEqual(before.slice(-3, -1), commands)
    await git(directory, 'init', '--quiet')
    const again = await init(directory)
    assert.doesNotMatch(again.join('\n'), /git init/)
    assert.deepEqual(again.slice(-3, -1), commands)
    // The printed commands work.
    const identity = { GIT_AUTHOR_NAME: 'x', GIT_AUTHOR_EMAIL: 'x@localhost', GIT_COMMITTER_NAME: 'x', GIT_COMMITTER_EMAIL: 'x@localhost' }
    for (const command of commands) {
      const done = await exec(['sh', '-c', command.slice('next: '.length)], { cwd: directory, env: { ...process.env, ...identity } })
      assert.equal(done.code, 0, done.stderr)
    }
    assert.doesNotMatch((await init(directory)).join('\n'), /git (add|commit|init)/)
    writeFileSync(join(directory, 'bench/app.php'), 'changed')
    assert.deepEqual((await init(directory)).slice(-3, -1), commands)
  })

  test('ends with a measurement that needs no second revision', async () => {
    const directory = folder()
    const last = (await init(directory)).at(-1) as string
    assert.equal(
      last,
      `next: to try it, compare the commit with itself: node dist/cli.js run --workspace ${directory} --profile quick --baseline HEAD`,
    )
    const options = parse(last.split(' run ')[1]?.split(' ') ?? [], RUN_OPTIONS)
    assert.deepEqual([options.text('workspace'), options.text('baseline')], [directory, 'HEAD'])
  })

  test('explains in a folder of a repository that a revision is the whole repository', async () => {
    const directory = folder()
    await git(directory, 'init', '--quiet')
    mkdirSync(join(directory, 'api'))
    assert.match((await init(join(directory, 'api'))).join('\n'), /run init in the root of the repository: .* its folder api\//)
  })

  test('--check shows its findings and writes nothing', async () => {
    const directory = folder()
    writeFileSync(join(directory, 'composer.json'), '{"require":{"php":">=8.1","slim/slim":"^4"}}')
    const said = (await init(directory, { check: true })).join('\n')
    assert.match(
      said,
      /^found: Slim \(composer\.json requires slim\/slim \^4\)\nsaw: composer\.json\nPHP of the workflow: 8\.5, .*\nbench\/app\.php: would be written\n/,
    )
    assert.deepEqual(readdirSync(directory), ['composer.json'])
    assert.match((await init(folder(), { check: true })).join('\n'), /^found: a PHP app \(there is no composer\.json\)/)
  })

  test('the stub of a plain app throws until it was edited, and names the line', async () => {
    const directory = folder()
    await init(directory)
    mkdirSync(join(directory, 'vendor'))
    writeFileSync(join(directory, 'vendor/autoload.php'), '<?php')
    const stub = readFileSync(join(directory, 'bench/app.php'), 'utf8')
    const line = stub.split('\n').findIndex((text) => text.includes('throw new')) + 1
    const call = (): ReturnType<typeof exec> => exec(['php', '-r', '(require "bench/app.php")([]);'], { cwd: directory, env: bare() })
    const refused = await call()
    assert.match(refused.stdout + refused.stderr, new RegExp(`not edited yet.*in .*/bench/app\\.php(\\(|:)${line}`))
    assert.notEqual(refused.code, 0)
    writeFileSync(join(directory, 'bench/app.php'), stub.replace(/^ *throw new .*$/m, '    $app = new stdClass();'))
    assert.equal((await call()).code, 0)
  })
})
