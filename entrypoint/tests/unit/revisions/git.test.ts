/** Commits that a clone lacks are fetched with the job's token, which goes nowhere else. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Git } from '../../../revisions/git.ts'
import { git } from '../../e2e/harness.ts'
import { gitServer } from './git-server.ts'
import { contents, history, root } from './history.ts'

describe('base', () => {
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
  test('is fetched over HTTP with the token of the job, even if checkout left its own', async () => {
    const repository = await history()
    const server = await gitServer(repository)
    try {
      const clone = join(root, 'clone-http')
      await git(root, '-c', `http.extraheader=${server.header}`, 'clone', '--quiet', '--depth=1', `${server.url}/.git`, clone)
      assert.equal(await new Git(clone, '', server.url).reach('v1'), undefined, 'no token, no answer')
      const withToken = new Git(clone, 'token', server.url)
      assert.equal(await withToken.reach('v1'), await git(repository, 'rev-parse', 'v1'))
      await git(clone, 'tag', '--delete', 'v1')
      await git(clone, 'config', `http.${server.url}/.extraheader`, 'AUTHORIZATION: basic b2xk')
      assert.equal(await withToken.reach('v1'), await git(repository, 'rev-parse', 'v1'))
      assert.doesNotMatch(readFileSync(join(clone, '.git', 'config'), 'utf8'), /token/)
    } finally {
      await server.close()
    }
  })
  test("is fetched without the token where the workspace's configuration leads elsewhere, and starts none of its programs", async () => {
    const repository = await history()
    const server = await gitServer(repository)
    try {
      const clone = join(root, 'clone-detour')
      const ran = join(root, 'ran')
      await git(root, '-c', `http.extraheader=${server.header}`, 'clone', '--quiet', '--depth=1', `${server.url}/.git`, clone)
      for (const [key, value] of [
        ['filter.earlier.smudge', 'cat'],
        ['http.proxy', 'http://127.0.0.1:9'],
        [`url.${server.url}/other.insteadOf`, 'x:'],
        ['remote.origin.url', 'ext::sh -c env'],
      ] as const) {
        const was = await git(clone, 'config', '--default', '', '--get', key)
        await git(clone, 'config', key, value)
        assert.equal(await new Git(clone, 'token', server.url).reach('v1'), undefined, key)
        await (was ? git(clone, 'config', key, was) : git(clone, 'config', '--unset', key))
      }
      writeFileSync(join(clone, '.git/program'), `#!/bin/sh\necho "$0" >> ${ran}\n`, { mode: 0o755 })
      for (const key of ['core.fsmonitor', 'core.alternateRefsCommand']) await git(clone, 'config', key, join(clone, '.git/program'))
      await git(clone, 'config', 'core.hooksPath', join(clone, '.git'))
      writeFileSync(join(clone, '.git/post-checkout'), `#!/bin/sh\necho "$0" >> ${ran}\n`, { mode: 0o755 })
      assert.equal((await contents(clone)).head, 'three')
      const left = new Git(clone, 'token', server.url)
      assert.equal(await left.reach('v1'), await git(repository, 'rev-parse', 'v1'))
      assert.ok(!existsSync(ran), existsSync(ran) ? readFileSync(ran, 'utf8') : '')
    } finally {
      await server.close()
    }
  })
  test('comes with a warning if the checkout left its token', async () => {
    const repository = await history()
    assert.doesNotMatch((await contents(repository)).said.join(), /persist-credentials/)
    await git(repository, 'config', 'http.https://github.com/.extraheader', 'AUTHORIZATION: basic b2xk')
    assert.match(
      (await contents(repository)).said.join(),
      /left its token in \.git\/config, where the app can read it\. Set persist-credentials: false/,
    )
  })
})
