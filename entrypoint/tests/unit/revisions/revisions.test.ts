/** The commit of base, by event and configuration. Uncommitted changes are not measured. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { git } from '../../e2e/harness.ts'
import { contents, history } from './history.ts'

describe('base', () => {
  test('of a pull request is the first parent of its merge commit', async () => {
    const repository = await history()
    await git(repository, 'merge', '--quiet', '--no-edit', 'feature')
    const sha = await git(repository, 'rev-parse', 'HEAD')
    const head = { sha: await git(repository, 'rev-parse', 'feature') }
    const old = { sha: await git(repository, 'rev-parse', 'v1') }
    const event = { name: 'pull_request', payload: { pull_request: { head, base: old } } }
    assert.equal((await contents(repository, { ...event, sha })).base, 'three')
    // A merge commit of the pull request itself. GitHub did not start the job for it.
    assert.equal((await contents(repository, { ...event, sha: head.sha })).base, 'two')
    assert.equal((await contents(repository, { ...event, payload: { pull_request: { head: { sha }, base: old } }, sha })).base, 'two')
  })
  test('of a pull request must be in the event', async () => {
    await assert.rejects(contents(await history(), { name: 'pull_request' }), /the event pull_request names no base commit/)
  })
  test('of a pull request without a merge commit is the base sha', async () => {
    const repository = await history()
    const sha = await git(repository, 'rev-parse', 'v1')
    await git(repository, 'checkout', '--quiet', 'feature')
    assert.equal((await contents(repository, { name: 'pull_request', payload: { pull_request: { base: { sha } } } })).base, 'two')
  })
  test('of a push is the commit before; the first push has none', async () => {
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
  test('of a manual run is the commit where the branch left main, on main the commit before', async () => {
    const repository = await history()
    assert.equal((await contents(repository)).base, 'two')
    await git(repository, 'checkout', '--quiet', 'feature')
    assert.equal((await contents(repository)).base, 'two')
  })
  test('is the configured one, or none', async () => {
    const repository = await history()
    assert.equal((await contents(repository, {}, 'main~2')).base, 'one')
    assert.match((await contents(repository, {}, 'none')).none ?? '', /none/)
    await assert.rejects(contents(repository, {}, 'v9'), /"v9" is not in this repository/)
  })
  test('of pull_request_target is refused, with the reason', async () => {
    await assert.rejects(contents(await history(), { name: 'pull_request_target' }), /token/)
  })
})

test('uncommitted changes are not measured, with a warning', async () => {
  const repository = await history()
  writeFileSync(join(repository, 'version'), 'dirty')
  const { head, said } = await contents(repository)
  assert.equal(head, 'three')
  assert.match(said.join(), /1 path is changed and not committed/)
  assert.equal((await git(repository, 'worktree', 'list')).split('\n').length, 1)
})
