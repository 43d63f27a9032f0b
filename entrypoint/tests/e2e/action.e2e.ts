/** dist/main.js as a runner runs it: environment, event file, and a GitHub API on loopback that keeps comments. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { exec } from '../../exec.ts'
import { PACKAGE } from '../../folders.ts'
import { repository, temporary } from './harness.ts'

interface Comment {
  id: number
  body: string
  user: { login: string }
}

describe('the Action', () => {
  const comments: Comment[] = Array.from({ length: 130 }, (_, i) => ({ id: i + 1, body: 'talk', user: { login: 'somebody' } }))
  let api: Server
  let url: string
  let forbidden = false
  before(async () => {
    api = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const reply = (status: number, data: unknown, headers = {}): void => {
        response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(data))
      }
      const path = new URL(request.url as string, url)
      if (path.pathname === '/user' || forbidden) return reply(403, { message: 'Resource not accessible by integration' })
      if (request.method === 'GET') {
        const page = Number(path.searchParams.get('page') ?? 1)
        const next = comments.length > page * 100 ? { Link: `<${url}${path.pathname}?per_page=100&page=${page + 1}>; rel="next"` } : {}
        return reply(200, comments.slice((page - 1) * 100, page * 100), next)
      }
      const text = JSON.parse(body).body
      if (request.method === 'POST') comments.push({ id: comments.length + 1, body: text, user: { login: 'github-actions[bot]' } })
      else (comments.find(({ id }) => path.pathname.endsWith(`/${id}`)) as Comment).body = text
      return reply(request.method === 'POST' ? 201 : 200, {})
    })
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(api.address() as { port: number }).port}`
  })
  after(() => api.close())

  const act = async (workspace: string, run: number, inputs: Record<string, string>) => {
    const temp = temporary()
    const files = {
      GITHUB_OUTPUT: join(temp, 'output'),
      GITHUB_STEP_SUMMARY: join(temp, 'summary'),
      GITHUB_EVENT_PATH: join(temp, 'event.json'),
    }
    for (const file of Object.values(files)) writeFileSync(file, '')
    writeFileSync(files.GITHUB_EVENT_PATH, JSON.stringify({ pull_request: { number: 7, base: { sha: '0'.repeat(40) } }, before: '' }))
    const env = {
      ...process.env,
      ...files,
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: workspace,
      GITHUB_REPOSITORY: 'o/r',
      GITHUB_API_URL: url,
      GITHUB_SERVER_URL: 'https://github.test',
      GITHUB_RUN_ID: String(run),
      GITHUB_EVENT_NAME: 'workflow_dispatch',
      GITHUB_REF: 'refs/heads/main',
      RUNNER_TEMP: temp,
      ...Object.fromEntries(
        Object.entries({ 'github-token': 'secret-token', ...inputs }).map(([key, value]) => [`INPUT_${key.toUpperCase()}`, value]),
      ),
    }
    const done = await exec([process.execPath, join(PACKAGE, 'dist', 'main.js')], { cwd: workspace, env, timeoutMs: 300_000 })
    return { ...done, outputs: readFileSync(files.GITHUB_OUTPUT, 'utf8'), summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8') }
  }
  const config = {
    '.github/async-php-bench.yml':
      'modes: [fpm, fibers]\nworkloads: [{ name: home, path: / }]\nloads: { low: { concurrency: 4 } }\nprofile: quick\nbudget: 20m\nblocks: 1\ndatabase: none\n',
  }
  const own = (): Comment[] => comments.filter(({ user }) => user.login === 'github-actions[bot]')

  test('sets outputs, writes the summary and one comment, updated in place', async () => {
    const workspace = await repository({ base: config })
    const first = await act(workspace, 10, {})
    assert.equal(first.code, 0, first.stdout)
    assert.match(first.outputs, /verdict<<\S+\nnot-gated\n/)
    assert.match(first.summary, /Not gated/)
    assert.equal(own().length, 1)
    assert.match(
      own()[0]?.body ?? '',
      /^<!-- async-php-bench:default run:10 -->\n## .*Not gated[\s\S]*github\.test\/o\/r\/actions\/runs\/10/,
    )
    await act(workspace, 11, {})
    assert.equal(own().length, 1)
    assert.match(own()[0]?.body ?? '', /run:11/)
    await act(workspace, 9, {})
    assert.match(own()[0]?.body ?? '', /run:11/)
  })

  test('a comment that is not allowed is a notice, and the verdict stands', async () => {
    forbidden = true
    const done = await act(await repository({ base: config }), 12, {})
    forbidden = false
    assert.equal(done.code, 0, done.stdout)
    assert.match(done.stdout, /::notice.*comment could not be published.*pull-requests: write/)
  })

  test('wrong input fails the step with the place', async () => {
    const done = await act(await repository({ base: config }), 13, { budget: 'soon' })
    assert.equal(done.code, 1)
    assert.match(done.stdout, /::error::input: budget: found "soon"/)
  })

  test('an invalid measurement fails the step, and is published', async () => {
    const done = await act(await repository({ base: config, head: { 'bench/app.php': '<?php broken(' } }), 14, { 'comment-key': 'second' })
    assert.equal(done.code, 1)
    assert.match(done.stdout, /::error title=async-php-bench%3A invalid::/)
    assert.match(own()[1]?.body ?? '', /async-php-bench:second run:14[\s\S]*fpm of head did not start/)
    assert.match(done.outputs, /exit-code<<\S+\n3\n/)
    assert.ok(!done.stdout.replaceAll('::add-mask::secret-token', '').includes('secret-token'))
  })
})
