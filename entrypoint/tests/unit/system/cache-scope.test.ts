/** The cache entries that a job reads and writes. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cacheKey, cacheScope, isTrusted, keyPrefix, systemName } from '../../../system/cache-scope.ts'

const of = (event: string, ref = 'refs/heads/main'): ReturnType<typeof cacheScope> =>
  cacheScope({ GITHUB_EVENT_NAME: event, GITHUB_REF: ref })

describe('a job', () => {
  for (const event of ['push', 'schedule', 'release'])
    test(`of ${event} reads and writes trusted entries`, () => {
      assert.deepEqual(of(event), { reads: ['trusted'], writes: 'trusted' })
      assert.ok(isTrusted(of(event)))
    })
  test('of a pull request writes its own entries, and reads those of branches and its own', () => {
    assert.deepEqual(of('pull_request', 'refs/pull/12/merge'), { reads: ['trusted', 'pull-12'], writes: 'pull-12' })
    assert.ok(!isTrusted(of('pull_request', 'refs/pull/12/merge')))
  })
  // GitHub gives them the cache of the default branch, whatever code they check out.
  for (const event of [
    'pull_request_target',
    'issue_comment',
    'workflow_run',
    'workflow_dispatch',
    'repository_dispatch',
    'merge_group',
    '',
  ])
    test(`of ${event || 'no event'} writes nothing`, () => assert.deepEqual(of(event), { reads: ['trusted'], writes: undefined }))
  test('of a pull request without a number writes nothing', () => assert.equal(of('pull_request').writes, undefined))
})

describe('a key', () => {
  const key = cacheKey('pull-1', 'swoole', 'ubuntu-24.04-x64', 'a'.repeat(32))
  test('of a pull request is no prefix of another one’s', () => {
    assert.ok(key.startsWith(keyPrefix('pull-1', 'swoole', 'ubuntu-24.04-x64')))
    assert.ok(!cacheKey('pull-12', 'swoole', 'ubuntu-24.04-x64', 'a'.repeat(32)).startsWith(keyPrefix('pull-1', 'swoole', '')))
    assert.ok(!key.startsWith(keyPrefix('trusted', 'swoole', 'ubuntu-24.04-x64')))
  })
  test('has only characters that the service allows', () => assert.match(key, /^[^,]{1,512}$/))
})

describe('the system', () => {
  test('consists of distribution, version and processor', () => {
    assert.equal(systemName('NAME="Ubuntu"\nID=ubuntu\nVERSION_ID="24.04"\n', 'arm64'), 'ubuntu-24.04-arm64')
    assert.equal(systemName('ID=debian\nVERSION_CODENAME=sid\n', 'x64'), 'debian-sid-x64')
    assert.equal(systemName('', 'x64'), 'linux-x64')
  })
})
