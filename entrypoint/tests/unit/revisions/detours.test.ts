/** Links and repositories that a pull request puts on the path to the configuration. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { configurationAt } from '../../../revisions/configuration-at.ts'
import { refuseDetours } from '../../../revisions/detours.ts'
import { Git } from '../../../revisions/git.ts'
import { commit, git } from '../../e2e/harness.ts'

const root = mkdtempSync(join(tmpdir(), 'detours-'))
after(() => rmSync(root, { recursive: true, force: true }))

/** A checkout with an app in a folder, which has its own configuration. */
function checkout(): string {
  const outer = mkdtempSync(join(root, 'checkout-'))
  mkdirSync(join(outer, '.git'))
  mkdirSync(join(outer, 'other', '.github'), { recursive: true })
  writeFileSync(join(outer, 'other', '.github', 'bench.yml'), '')
  return outer
}

const visit = (outer: string, folder: string): void =>
  refuseDetours(outer, join(outer, folder), join(outer, folder, '.github', 'bench.yml'))

describe('the path to the configuration', () => {
  test('is allowed without links', () => {
    const outer = checkout()
    assert.doesNotThrow(() => visit(outer, 'other'))
    assert.doesNotThrow(() => refuseDetours(outer, outer, '/elsewhere/bench.yml'))
  })
  for (const target of ['other', '.']) {
    test(`has no link to ${target}`, () => {
      const outer = checkout()
      symlinkSync(target, join(outer, 'app'))
      assert.throws(() => visit(outer, 'app'), { name: 'InputError', message: /^app: found a link, allowed: a plain file or folder/ })
    })
  }
  test('has no second repository, as a submodule is one', () => {
    const outer = checkout()
    writeFileSync(join(outer, 'other', '.git'), 'gitdir: ../.git/modules/other')
    assert.throws(() => visit(outer, 'other'), { name: 'InputError', message: /^workspace: found other, a repository inside/ })
  })
  test('may begin below a checkout in a folder of the job', () => {
    const outer = mkdtempSync(join(root, 'job-'))
    mkdirSync(join(outer, 'code', '.git'), { recursive: true })
    assert.doesNotThrow(() => visit(outer, 'code'))
  })
})

describe('the configuration of a commit', () => {
  test('is not absent if this clone cannot read it', async () => {
    const origin = mkdtempSync(join(root, 'origin-'))
    await git(origin, 'init', '--quiet')
    await git(origin, 'config', 'uploadpack.allowFilter', 'true')
    await commit(origin, { 'bench.yml': 'budget: 5m', 'a/b': 'x' }, 'one')
    const clone = join(root, 'partial')
    await git(root, 'clone', '--quiet', '--no-checkout', '--filter=blob:none', `file://${origin}`, clone)
    rmSync(origin, { recursive: true })
    const found = (path: string) => configurationAt(new Git(clone), 'HEAD', path, {})
    await assert.rejects(found('bench.yml'), {
      name: 'MeasurementError',
      message: /^bench\.yml of the commit HEAD cannot be read from this clone/,
    })
    assert.deepEqual(await found('other.yml'), { absent: true })
    assert.deepEqual(await found('bench.yml/x'), { broken: 'bench.yml is not a plain folder' })
    assert.deepEqual(await found('a'), { broken: 'a is not a plain file' })
  })
  test('ignores replacement refs', async () => {
    const directory = mkdtempSync(join(root, 'replaced-'))
    await git(directory, 'init', '--quiet')
    await commit(directory, { 'bench.yml': 'budget: 5m' }, 'base')
    const base = await git(directory, 'rev-parse', 'HEAD')
    await commit(directory, { 'bench.yml': 'budget: 9h' }, 'head')
    await git(directory, 'replace', base, 'HEAD')
    const found = await configurationAt(new Git(directory), base, 'bench.yml', {})
    assert.equal('config' in found && found.config.budget, '5m')
  })
})
