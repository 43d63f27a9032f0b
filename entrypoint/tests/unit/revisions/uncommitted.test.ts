/** Files in the workspace that no commit has: they are named, and an uncommitted app is refused. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Inputs } from '../../../config/inputs.ts'
import { readInputs } from '../../../config/inputs.ts'
import { NO_EVENT } from '../../../revisions/event.ts'
import { Git } from '../../../revisions/git.ts'
import { type Known, knownComparison } from '../../../revisions/known.ts'
import { settle } from '../../../revisions/settle.ts'
import { warningsOfUncommitted } from '../../../revisions/uncommitted.ts'
import { InputError } from '../../../system/errors.ts'
import { Patience } from '../../../system/machine.ts'
import { commit, git } from '../../e2e/harness.ts'

const root = mkdtempSync(join(tmpdir(), 'uncommitted-'))
after(() => rmSync(root, { recursive: true, force: true }))

const APP = 'bench/app.php'

const inputsOf = (workspace: string, given: Record<string, string> = {}): Inputs =>
  readInputs({ get: (key) => given[key] }, { workspace, out: root })
const known = (workspace: string, baseline = 'auto', app = ''): Promise<Known> => knownComparison(inputsOf(workspace, { baseline, app }))

async function repository(files: Record<string, string> = { 'composer.json': '{}' }): Promise<string> {
  const directory = mkdtempSync(join(root, 'repo-'))
  await git(directory, 'init', '--quiet')
  await commit(directory, files, 'one')
  await commit(directory, {}, 'two')
  return directory
}

function write(directory: string, ...names: string[]): void {
  for (const name of names) {
    mkdirSync(join(directory, name, '..'), { recursive: true })
    writeFileSync(join(directory, name), name)
  }
}

async function warnings(directory: string): Promise<string[]> {
  const git = new Git(directory)
  return warningsOfUncommitted(git, directory, join(directory, 'ci', 'bench.yml'), await git.head())
}

const isInput = (message: RegExp) => (error: unknown) => error instanceof InputError && message.test(error.message)

describe('an entry file that is not committed', () => {
  test('is refused with the commands that commit it, whether untracked or staged', async () => {
    const directory = await repository()
    write(directory, APP)
    const message =
      /^app: bench\/app\.php exists but is not committed\. Base and head are commits, and the commit [0-9a-f]{10} does not contain it\. Run:\n {2}git add bench\/app\.php && git commit --message "Add bench\/app\.php"$/
    await assert.rejects(known(directory), isInput(message))
    await git(directory, 'add', APP)
    await assert.rejects(known(directory), isInput(message))
    await git(directory, 'commit', '--quiet', '--message', 'three')
    assert.match((await known(directory)).withoutBase ?? '', /base \(HEAD\^1\) has no bench\/app\.php yet/)
  })
  test('is refused before a work tree is made', async () => {
    const directory = await repository()
    write(directory, APP)
    const trees = mkdtempSync(join(root, 'trees-'))
    const ends: (() => Promise<void>)[] = []
    const job = {
      directory: trees,
      signal: new AbortController().signal,
      say: () => {},
      patience: new Patience(),
      atEnd: (end: () => Promise<void>) => ends.push(end),
    }
    await assert.rejects(settle(inputsOf(directory), NO_EVENT, job), isInput(/exists but is not committed/))
    assert.deepEqual(readdirSync(trees), [])
    // Without an app, built-in workloads are measured.
    rmSync(join(directory, APP))
    await settle(inputsOf(directory, { workloads: 'fibonacci' }), NO_EVENT, job)
    for (const end of ends) await end()
  })
  test('is refused with --force if git ignores it, and quoted if a shell needs it', async () => {
    const directory = await repository({ '.gitignore': 'bench/\n' })
    write(directory, APP, "my app's.php")
    await assert.rejects(known(directory), isInput(/It is ignored by a \.gitignore\. Run:\n {2}git add --force bench\/app\.php /))
    await assert.rejects(known(directory, 'auto', "my app's.php"), isInput(/git add 'my app'\\''s\.php' && /))
  })
  test('is also a front script, under its own key', async () => {
    const directory = await repository()
    write(directory, 'public/index.php')
    await assert.rejects(
      knownComparison(inputsOf(directory, { front: 'public/index.php' })),
      isInput(/^front: public\/index\.php exists but is not committed/),
    )
  })
  test('differs from a workspace that is a folder of the repository', async () => {
    const directory = await repository({ 'api/bench/app.php': '<?php' })
    await assert.rejects(
      known(join(directory, 'api')),
      isInput(/api is the folder api\/ of a repository\. A revision is the whole repository/),
    )
  })
})

describe('other files that are not committed', () => {
  test('are named: changed ones, deleted ones, and untracked ones that git does not ignore', async () => {
    const directory = await repository({ '.gitignore': 'vendor/\n', ' a': 'x', b: 'x' })
    assert.deepEqual(await warnings(directory), [])
    write(directory, ' a', 'src/New.php', 'vendor/x', 'config/new.php')
    rmSync(join(directory, 'b'))
    const [changed, deleted, untracked, ...more] = await warnings(directory)
    assert.match(changed ?? '', /^warning: 1 path is changed and not committed \( ?a\); the commit [0-9a-f]{10} is measured without it$/)
    assert.match(deleted ?? '', /^warning: 1 path is deleted, but not in a commit \(b\); the commit [0-9a-f]{10} is measured with it$/)
    assert.match(untracked ?? '', /^warning: 2 paths are untracked \(config\/, src\/\); the commit [0-9a-f]{10} is measured without them$/)
    assert.deepEqual(more, [])
  })
  test('include the configuration, which is used nevertheless', async () => {
    const draft = /^warning: ci\/bench\.yml is used as it is in the workspace\. It is not committed, so a pull request would not use it$/
    const directory = await repository({ 'ci/bench.yml': 'app: a\n' })
    write(directory, 'ci/bench.yml')
    const [changed, ...none] = await warnings(directory)
    assert.match(changed ?? '', draft)
    assert.deepEqual(none, [])
    const fresh = await repository()
    write(fresh, 'ci/bench.yml')
    const [untracked, folder] = await warnings(fresh)
    assert.match(untracked ?? '', draft)
    assert.match(folder ?? '', /^warning: 1 path is untracked \(ci\/\); the commit [0-9a-f]{10} is measured without it$/)
  })
  test('are named up to five', async () => {
    const directory = await repository()
    write(directory, ...Array.from({ length: 7 }, (_, i) => `f${i}`))
    assert.match((await warnings(directory)).join(), /7 paths are untracked \(f0, f1, f2, f3, f4 and 2 more\)/)
  })
  test('cannot add a line to the log', async () => {
    const directory = await repository()
    write(directory, 'a\n::set-output name=x::y')
    assert.doesNotMatch((await warnings(directory)).join(), /\n/)
  })
  test('of an earlier measurement do not count', async () => {
    const directory = await repository()
    write(directory, 'results/samples.csv', 'results/run.json', 'results/plots/a.png')
    assert.deepEqual(await warnings(directory), [])
  })
})

describe('base and head without a work tree', () => {
  test('are the commits that a run would use', async () => {
    const directory = await repository({ [APP]: '<?php' })
    const [head, base] = [await git(directory, 'rev-parse', 'HEAD'), await git(directory, 'rev-parse', 'HEAD~1')]
    const found = await known(directory)
    assert.deepEqual([found.head, found.base, found.warnings], [head, { commit: base, label: 'HEAD^1' }, []])
    assert.equal((await known(directory, 'none')).withoutBase, 'baseline is none')
    await assert.rejects(known(directory, 'v9'), isInput(/"v9" is not in this repository/))
    await assert.rejects(known(mkdtempSync(join(root, 'none-'))), isInput(/not a git repository/))
  })
  test('have the workloads of their own files, as in a run', async () => {
    const file = '.github/async-php-bench.yml'
    const one = (path: string): string => `modes: [fpm, fibers]\nworkloads: [fibonacci, { name: home, path: ${path} }]\n`
    const directory = await repository({ [APP]: '<?php', [file]: one('/') })
    await commit(directory, { [file]: one('/home') }, 'head')
    const { gated, reported, notes } = await known(directory)
    assert.deepEqual(
      [gated, reported].map((cells) => [...new Set(cells.map(({ workload }) => workload.name))]),
      [['fibonacci'], ['home']],
    )
    assert.match(notes.join(), /Workload `home`: base and head define it differently/)
  })
  test('are missing if head lost the app', async () => {
    const directory = await repository({ [APP]: '<?php' })
    await git(directory, 'rm', '--quiet', APP)
    await git(directory, 'commit', '--quiet', '--message', 'three')
    await assert.rejects(known(directory), /head has no bench\/app\.php, and base has bench\/app\.php/)
  })
  test('are not fetched into a shallow clone', async () => {
    const directory = await repository({ [APP]: '<?php' })
    await git(directory, 'tag', 'v1', 'HEAD~1')
    const shallow = mkdtempSync(join(root, 'shallow-'))
    await git(root, 'clone', '--quiet', '--depth=1', `file://${directory}`, shallow)
    assert.match((await known(shallow, 'v1')).withoutBase ?? '', /not in this shallow clone; a run fetches it/)
    assert.equal(await git(shallow, 'rev-list', '--count', 'HEAD'), '1')
  })
})
