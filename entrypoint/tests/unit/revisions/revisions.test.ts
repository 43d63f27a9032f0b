import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { readInputs } from '../../../config/inputs.ts'
import { type Event, NO_EVENT } from '../../../revisions/event.ts'
import { Git } from '../../../revisions/git.ts'
import { settle } from '../../../revisions/settle.ts'
import type { Job } from '../../../system/job.ts'
import { commit, git } from '../../e2e/harness.ts'

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
  const ends: (() => Promise<void>)[] = []
  const directory = mkdtempSync(join(root, 'trees-'))
  const inputs = readInputs({ get: (key) => (key === 'baseline' ? baseline : undefined) }, { workspace, out: directory })
  const { signal } = new AbortController()
  const job: Job = { directory, signal, say: (line) => said.push(line), atEnd: (end) => ends.push(end) }
  const { revisions } = await settle(inputs, { ...NO_EVENT, ...event }, job)
  const version = (checkout: { directory: string } | undefined) => checkout && readFileSync(join(checkout.directory, 'version'), 'utf8')
  const result = { base: version(revisions.base), head: version(revisions.head), none: revisions.withoutBase, said }
  for (const end of ends) await end()
  return result
}

/** A repository over HTTP that answers exactly one Authorization header, the job's; GitHub refuses two as well. */
async function gitServer(repository: string) {
  const header = `Authorization: basic ${Buffer.from('x-access-token:token').toString('base64')}`
  const server = createServer((request, response) => {
    const given = request.rawHeaders.flatMap((name, i) =>
      name.toLowerCase() === 'authorization' ? [`${name}: ${request.rawHeaders[i + 1]}`] : [],
    )
    if (given.length !== 1 || given[0]?.toLowerCase() !== header.toLowerCase()) {
      response.writeHead(given.length > 1 ? 400 : 401).end()
      return
    }
    const url = new URL(request.url as string, 'http://localhost')
    const backend = spawn('git', ['-c', 'safe.directory=*', 'http-backend'], {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: repository,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    request.pipe(backend.stdin)
    const chunks: Buffer[] = []
    backend.stdout.on('data', (chunk) => chunks.push(chunk))
    backend.on('close', () => {
      const answer = Buffer.concat(chunks)
      const end = answer.indexOf('\r\n\r\n')
      const headers = answer.subarray(0, end).toString().split('\r\n')
      const status = Number(/^Status: (\d+)/m.exec(headers.join('\n'))?.[1] ?? 200)
      response.writeHead(
        status,
        headers.filter((line) => !line.startsWith('Status')).flatMap((line) => line.split(/: (.*)/).slice(0, 2)),
      )
      response.end(answer.subarray(end + 4))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, header, close }
}

describe('base', () => {
  test('of a pull request is the first parent of its merge commit', async () => {
    const repository = await history()
    await git(repository, 'merge', '--quiet', '--no-edit', 'feature')
    const sha = await git(repository, 'rev-parse', 'HEAD')
    const head = { sha: await git(repository, 'rev-parse', 'feature') }
    const old = { sha: await git(repository, 'rev-parse', 'v1') }
    const event = { name: 'pull_request', payload: { pull_request: { head, base: old } } }
    assert.equal((await contents(repository, { ...event, sha })).base, 'three')
    // A merge commit of the pull request's own, which GitHub did not start the job for.
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
  test('is fetched over HTTP with the token of the job, also where checkout left its own', async () => {
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
  test('is announced to be near a token that the checkout left', async () => {
    const repository = await history()
    assert.doesNotMatch((await contents(repository)).said.join(), /persist-credentials/)
    await git(repository, 'config', 'http.https://github.com/.extraheader', 'AUTHORIZATION: basic b2xk')
    assert.match(
      (await contents(repository)).said.join(),
      /left its token in \.git\/config, where the app can read it\. Set persist-credentials: false/,
    )
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
