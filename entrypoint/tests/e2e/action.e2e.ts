/** dist/main.js as a runner runs it: environment, event file, and an emulated GitHub API. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { exec } from '../../exec.ts'
import { PACKAGE } from '../../folders.ts'
import { type GitHubApi, startGitHub, TOKEN } from './github-api.ts'
import { commit, git, repository, temporary } from './harness.ts'

describe('the Action', () => {
  let api: GitHubApi
  let number = 0
  before(async () => {
    api = await startGitHub()
    const { data } = await api.call('POST', '/repos/gate-bot/app/issues', { title: 'a pull request' })
    number = (data as { number: number }).number
  })
  after(() => api.close())

  interface Started {
    run?: number
    inputs?: Record<string, string>
    event?: string
    ref?: string
    payload?: object
  }

  const act = async (
    workspace: string,
    { run = 1, inputs = {}, event = 'workflow_dispatch', ref = 'refs/heads/main', payload }: Started,
  ) => {
    const temp = temporary()
    const files = {
      GITHUB_OUTPUT: join(temp, 'output'),
      GITHUB_STEP_SUMMARY: join(temp, 'summary'),
      GITHUB_EVENT_PATH: join(temp, 'event.json'),
    }
    for (const file of Object.values(files)) writeFileSync(file, '')
    writeFileSync(
      files.GITHUB_EVENT_PATH,
      JSON.stringify(payload ?? { pull_request: { number, base: { sha: '0'.repeat(40) } }, before: '' }),
    )
    const env = {
      ...process.env,
      ...files,
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: workspace,
      GITHUB_REPOSITORY: 'gate-bot/app',
      GITHUB_API_URL: api.url,
      GITHUB_SERVER_URL: 'https://github.test',
      GITHUB_RUN_ID: String(run),
      GITHUB_EVENT_NAME: event,
      GITHUB_REF: ref,
      RUNNER_TEMP: temp,
      ...Object.fromEntries(
        Object.entries({ 'github-token': TOKEN, ...inputs }).map(([key, value]) => [`INPUT_${key.toUpperCase()}`, value]),
      ),
    }
    const done = await exec([process.execPath, join(PACKAGE, 'dist', 'main.js')], { cwd: workspace, env, timeoutMs: 300_000 })
    return { ...done, outputs: readFileSync(files.GITHUB_OUTPUT, 'utf8'), summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8') }
  }
  const comments = async (): Promise<string[]> =>
    ((await api.call('GET', `/repos/gate-bot/app/issues/${number}/comments?per_page=100`)).data as { body: string }[]).map(
      ({ body }) => body,
    )
  const config = {
    '.github/async-php-bench.yml':
      'modes: [fpm, fibers]\nworkloads: [{ name: home, path: / }]\nloads: { low: { concurrency: 4 } }\nprofile: quick\nbudget: 20m\nblocks: 1\ndatabase: none\n',
  }

  test('sets outputs, writes the summary and one comment, updated in place', async () => {
    const workspace = await repository({ base: config })
    const first = await act(workspace, { run: 10 })
    assert.equal(first.code, 0, first.stdout)
    assert.match(first.outputs, /verdict<<\S+\nnot-gated\n/)
    assert.match(first.outputs, /release-notes<<\S+\n### Asynchronous gain\n/)
    assert.match(first.summary, /Not gated/)
    assert.equal((await comments()).length, 1)
    assert.match(
      (await comments())[0] ?? '',
      /^<!-- async-php-bench:default run:10 -->\n## .*Not gated[\s\S]*github\.test\/gate-bot\/app\/actions\/runs\/10/,
    )
    await act(workspace, { run: 9 })
    assert.match((await comments())[0] ?? '', /run:10/)
  })

  test('a comment that is not allowed is a notice, and the verdict stands', async () => {
    api.faults = [{ method: 'GET', path: /comments/, status: 403, times: 1 }]
    const done = await act(await repository({ base: config }), { run: 12 })
    assert.equal(done.code, 0, done.stdout)
    assert.match(done.stdout, /::notice.*comment could not be published.*pull-requests: write/)
  })

  test('wrong input fails the step with the place', async () => {
    const done = await act(await repository({ base: config }), { run: 13, inputs: { budget: 'soon' } })
    assert.equal(done.code, 1)
    assert.match(done.stdout, /::error::input: budget: found "soon"/)
  })

  test('an invalid measurement fails the step, and is published', async () => {
    const broken = await repository({ base: config, head: { 'bench/app.php': '<?php broken(' } })
    const done = await act(broken, { run: 14, inputs: { 'comment-key': 'second' } })
    assert.equal(done.code, 1)
    assert.match(done.stdout, /::error title=async-php-bench%3A invalid::/)
    assert.match((await comments())[1] ?? '', /async-php-bench:second run:14[\s\S]*fpm of head did not start/)
    assert.match(done.outputs, /exit-code<<\S+\n3\n/)
    assert.ok(!done.stdout.replaceAll(`::add-mask::${TOKEN}`, '').includes(TOKEN))
  })
})

describe('what strangers write', () => {
  const nasty = [
    '; touch /tmp/apb-pwned',
    '$(touch /tmp/apb-pwned)',
    '`touch /tmp/apb-pwned`',
    '| touch /tmp/apb-pwned',
    '<script>alert(1)</script>',
    '@everyone',
  ]

  test('reaches no shell, no command of the runner, and no markup', async () => {
    const payload = `${nasty.join(' ')} ::set-output name=verdict::pass`
    // In a header, a body, the name of a branch, a file name, the answer of the app and its error message.
    const workspace = await repository({
      base: {
        '.github/async-php-bench.yml': JSON.stringify({
          modes: ['fpm', 'fibers'],
          workloads: [
            {
              name: 'home',
              path: '/',
              method: 'POST',
              headers: { 'X-Odd': payload },
              body: payload,
              expect: { contains: 'nothing like it' },
            },
          ],
          loads: { low: { concurrency: 2 } },
          profile: 'quick',
          blocks: 1,
          database: 'none',
          baseline: 'HEAD^1',
        }),
        [`config/${nasty.join(' ').replaceAll('/', '')}.php`]: '<?php',
        'bench/app.php': `<?php
require_once __DIR__ . '/../vendor/autoload.php';
return static fn (array $context) => static function (Psr\\Http\\Message\\ServerRequestInterface $request): Psr\\Http\\Message\\ResponseInterface {
    error_log("\n::set-output name=verdict::pass\n##[command]x");
    return new Nyholm\\Psr7\\Response(200, [], $request->getBody() . ' ' . $request->getHeaderLine('X-Odd') . "\n::add-mask::a");
};
`,
      },
    })
    await git(workspace, 'checkout', '--quiet', '-b', 'x;touch${IFS}/tmp/apb-pwned')
    const temp = temporary()
    const files = { GITHUB_OUTPUT: join(temp, 'o'), GITHUB_STEP_SUMMARY: join(temp, 's'), GITHUB_EVENT_PATH: join(temp, 'e') }
    for (const file of Object.values(files)) writeFileSync(file, '{}')
    const env = {
      ...process.env,
      ...files,
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: workspace,
      RUNNER_TEMP: temp,
      GITHUB_EVENT_NAME: 'workflow_dispatch',
    }
    const done = await exec([process.execPath, join(PACKAGE, 'dist', 'main.js')], { cwd: workspace, env, timeoutMs: 120_000 })
    assert.equal(done.code, 1)
    assert.match(done.stdout, /expected a body with "nothing like it", got/)
    assert.ok(!existsSync('/tmp/apb-pwned'))
    const commands = done.stdout.split('\n').filter((line) => /^\s*::|##\[/.test(line))
    assert.deepEqual(
      commands.filter((line) => !/^::error/.test(line)),
      [],
    )
    assert.match(readFileSync(files.GITHUB_OUTPUT, 'utf8'), /verdict<<\S+\ninvalid\n/)
    // What is quoted of it stands in a code block that it cannot close.
    assert.doesNotMatch(readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8').replace(/~~~text[\s\S]*?~~~/g, ''), /<script>|@everyone/)
  })
})

describe('the sub-action measure', () => {
  const start = async (workspace: string, inputs: Record<string, string>) => {
    const temp = temporary()
    const files = { GITHUB_OUTPUT: join(temp, 'o'), GITHUB_EVENT_PATH: join(temp, 'e') }
    for (const file of Object.values(files)) writeFileSync(file, '{}')
    const given = Object.fromEntries(Object.entries(inputs).map(([key, value]) => [`INPUT_${key.toUpperCase()}`, value]))
    const env = {
      ...process.env,
      ...files,
      ...given,
      GITHUB_WORKSPACE: workspace,
      RUNNER_TEMP: temp,
      GITHUB_EVENT_NAME: 'workflow_dispatch',
    }
    const done = await exec([process.execPath, join(PACKAGE, 'dist', 'measure-main.js')], { cwd: workspace, env, timeoutMs: 120_000 })
    return { ...done, temp, outputs: readFileSync(files.GITHUB_OUTPUT, 'utf8') }
  }
  const config = {
    '.github/async-php-bench.yml':
      'modes: [fpm, fibers]\nworkloads: [{ name: home, path: / }]\nloads: { low: { concurrency: 4 } }\nprofile: quick\nbudget: 20m\ndatabase: none\n',
  }

  test('plans a matrix without measuring', async () => {
    const done = await start(await repository({ base: config }), { 'plan-jobs': '5' })
    assert.equal(done.code, 0, done.stdout)
    assert.match(done.outputs, /matrix<<\S+\n\{"include":\[\{"job":"1","blocks":2\}/)
  })

  test('measures its blocks, without a token and without a verdict', async () => {
    const done = await start(await repository({ base: config }), { job: 'third', blocks: '1' })
    assert.equal(done.code, 0, done.stdout)
    const samples = readFileSync(join(done.temp, 'async-php-bench-results', 'samples.csv'), 'utf8')
      .trim()
      .split('\n')
    assert.equal(samples.length, 5)
    assert.ok(samples.slice(1).every((line) => line.startsWith('third,1,')))
    assert.ok(!existsSync(join(done.temp, 'async-php-bench-results', 'analysis.json')))
  })
})

describe('events', () => {
  // Nothing is measured: a budget of a second is refused once base and head are known.
  const short =
    'modes: [fpm]\nworkloads: [{ name: home, path: / }]\nloads: { low: { concurrency: 1 } }\nprofile: quick\nbudget: 1s\ndatabase: none\n'
  let workspace: string
  const sha: Record<string, string> = {}
  before(async () => {
    // main: one, two; topic: one, change; merge of topic into two.
    workspace = await repository({ base: { '.github/async-php-bench.yml': short } })
    sha.one = await git(workspace, 'rev-parse', 'HEAD^')
    sha.two = await git(workspace, 'rev-parse', 'HEAD')
    await git(workspace, 'tag', 'v1.0.0', sha.one)
    await git(workspace, 'checkout', '--quiet', '-b', 'topic', sha.one)
    await commit(workspace, { 'change.txt': 'x' }, 'change')
    sha.change = await git(workspace, 'rev-parse', 'HEAD')
    await git(workspace, 'checkout', '--quiet', '--detach', sha.two)
    await git(workspace, 'merge', '--quiet', '--no-ff', '-m', 'merge', 'topic')
    sha.merge = await git(workspace, 'rev-parse', 'HEAD')
  })
  const cases: [
    event: string,
    at: string,
    payload: (s: Record<string, string>) => object,
    expected: (s: Record<string, string>) => string,
  ][] = [
    [
      'pull_request',
      'merge',
      (s) => ({ pull_request: { number: 1, base: { sha: s.one }, head: { sha: s.change } } }),
      (s) => `head ${short10(s.merge)}, base HEAD^1 (${short10(s.two)})`,
    ],
    ['push', 'two', (s) => ({ before: s.one }), (s) => `base ${short10(s.one)}`],
    ['merge_group', 'two', (s) => ({ merge_group: { base_sha: s.one } }), (s) => `base ${short10(s.one)}`],
    ['release', 'two', () => ({ release: { id: 1 } }), (s) => `base v1.0.0 (${short10(s.one)})`],
    ['schedule', 'two', () => ({}), (s) => `base HEAD^1 (${short10(s.one)})`],
    ['workflow_dispatch', 'change', () => ({}), (s) => `(${short10(s.one)})`],
    ['pull_request_target', 'two', () => ({}), () => 'pull_request_target runs with a token that can write'],
  ]
  const short10 = (commitName: string | undefined): string => (commitName ?? '').slice(0, 10)
  for (const [event, at, payload, expected] of cases) {
    test(`${event} compares with the right commit, or says why not`, async () => {
      await git(workspace, 'checkout', '--quiet', '--detach', sha[at] as string)
      const temp = temporary()
      writeFileSync(join(temp, 'event.json'), JSON.stringify(payload(sha)))
      const env = {
        ...process.env,
        ...{
          GITHUB_ACTIONS: 'true',
          GITHUB_WORKSPACE: workspace,
          GITHUB_EVENT_NAME: event,
          GITHUB_REF: 'refs/heads/main',
          RUNNER_TEMP: temp,
        },
        ...{ GITHUB_EVENT_PATH: join(temp, 'event.json'), GITHUB_OUTPUT: join(temp, 'o'), GITHUB_STEP_SUMMARY: join(temp, 's') },
      }
      for (const file of ['o', 's']) writeFileSync(join(temp, file), '')
      const done = await exec([process.execPath, join(PACKAGE, 'dist', 'main.js')], { cwd: workspace, env, timeoutMs: 120_000 })
      assert.ok(done.stdout.includes(expected(sha)), `${expected(sha)}\n${done.stdout}`)
      assert.equal(done.code, 1)
    })
  }
})
