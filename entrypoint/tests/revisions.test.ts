import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { checkOut, type Event, forgetWorkTrees, NO_EVENT } from '../revisions.ts'
import { commit, git } from './e2e/harness.ts'

const root = mkdtempSync(join(tmpdir(), 'revisions-'))
after(() => rmSync(root, { recursive: true, force: true }))

/** main: one - two (v1) - three; a branch off two: four; a merge of four into three. */
async function history(): Promise<string> {
  const directory = mkdtempSync(join(root, 'repo-'))
  await git(directory, 'init', '--quiet')
  await commit(directory, { version: 'one' }, 'one')
  await commit(directory, { version: 'two' }, 'two')
  await git(directory, 'tag', 'v1')
  await git(directory, 'checkout', '--quiet', '-b', 'feature')
  await commit(directory, { feature: 'yes' }, 'four')
  await git(directory, 'checkout', '--quiet', 'main')
  await commit(directory, { version: 'three' }, 'three')
  return directory
}

/** What base and head hold, and what was said. */
async function contents(workspace: string, event: Partial<Event> = {}, baseline = 'auto') {
  const said: string[] = []
  const directory = mkdtempSync(join(root, 'trees-'))
  const revisions = await checkOut({
    workspace,
    baseline,
    event: { ...NO_EVENT, ...event },
    token: '',
    directory,
    app: 'bench/app.php',
    say: (line) => said.push(line),
  })
  const version = (checkout: { directory: string } | undefined) => checkout && readFileSync(join(checkout.directory, 'version'), 'utf8')
  const result = { base: version(revisions.base), head: version(revisions.head), none: revisions.withoutBase, said }
  await forgetWorkTrees(revisions, workspace)
  return result
}

describe('base', () => {
  test('of a pull request is the first parent of its merge commit', async () => {
    const repository = await history()
    await git(repository, 'merge', '--quiet', '--no-edit', 'feature')
    assert.equal((await contents(repository, { name: 'pull_request' })).base, 'three')
  })
  test('of a pull request without a merge commit is the base sha', async () => {
    const repository = await history()
    const sha = await git(repository, 'rev-parse', 'v1')
    await git(repository, 'checkout', '--quiet', 'feature')
    assert.equal((await contents(repository, { name: 'pull_request', payload: { pull_request: { base: { sha } } } })).base, 'two')
  })
  test('of a push is what was there before; of the first push nothing', async () => {
    const repository = await history()
    const before = await git(repository, 'rev-parse', 'HEAD~2')
    assert.equal((await contents(repository, { name: 'push', payload: { before } })).base, 'one')
    assert.match((await contents(repository, { name: 'push', payload: { before: '0'.repeat(40) } })).none ?? '', /no earlier commit/)
  })
  test('of a merge group is its base', async () => {
    const repository = await history()
    assert.equal(
      (
        await contents(repository, {
          name: 'merge_group',
          payload: { merge_group: { base_sha: await git(repository, 'rev-parse', 'HEAD~1') } },
        })
      ).base,
      'two',
    )
  })
  test('of a release or a tag is the newest earlier tag that is an ancestor', async () => {
    const repository = await history()
    await git(repository, 'tag', 'v2')
    assert.equal((await contents(repository, { name: 'push', ref: 'refs/tags/v2' })).base, 'two')
    assert.equal((await contents(repository, { name: 'release' })).base, 'two')
    await git(repository, 'checkout', '--quiet', 'HEAD~2')
    assert.match((await contents(repository, { name: 'release' })).none ?? '', /no earlier tag/)
  })
  test('by hand is where the branch left main, on main the commit before', async () => {
    const repository = await history()
    assert.equal((await contents(repository)).base, 'two')
    await git(repository, 'checkout', '--quiet', 'feature')
    assert.equal((await contents(repository)).base, 'two')
  })
  test('is what the configuration names, or none', async () => {
    const repository = await history()
    assert.equal((await contents(repository, {}, 'main~2')).base, 'one')
    assert.match((await contents(repository, {}, 'none')).none ?? '', /none/)
    await assert.rejects(contents(repository, {}, 'v9'), /"v9" is not in this repository/)
  })
  test('is fetched into a shallow clone', async () => {
    const repository = await history()
    const before = await git(repository, 'rev-parse', 'HEAD~2')
    const clone = async () => {
      const shallow = mkdtempSync(join(root, 'shallow-'))
      await git(root, 'clone', '--quiet', '--depth=1', `file://${repository}`, shallow)
      return shallow
    }
    assert.equal((await contents(await clone(), { name: 'push', payload: { before } })).base, 'one')
    assert.equal((await contents(await clone(), {}, 'v1')).base, 'two')
    assert.equal((await contents(await clone(), { name: 'release' })).base, 'two')
  })
  test('of pull_request_target is refused, with the reason', async () => {
    await assert.rejects(contents(await history(), { name: 'pull_request_target' }), /token/)
  })
})

test('uncommitted changes are not measured, and it is said', async () => {
  const repository = await history()
  writeFileSync(join(repository, 'version'), 'dirty')
  const { head, said } = await contents(repository)
  assert.equal(head, 'three')
  assert.match(said.join(), /1 changed files are not committed/)
  assert.equal((await git(repository, 'worktree', 'list')).split('\n').length, 1)
})
