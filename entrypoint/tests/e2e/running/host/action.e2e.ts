/** The Actions as a runner runs them: dist/ with environment and event file, an emulated GitHub API and artifact service. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { strFromU8, unzipSync } from 'fflate'
import { PACKAGE } from '../../../../config/catalog.ts'
import { artifactName } from '../../../../publish/artifacts.ts'
import { type ArtifactService, startArtifactService } from '../../artifact-service.ts'
import { type GitHubApi, startGitHub, TOKEN } from '../../github-api.ts'
import { git, leftovers, plannedRows, repository, temporary } from '../../harness.ts'
import { runStep, SERVER, type Step } from '../../runner.ts'

let api: GitHubApi
let artifacts: ArtifactService
before(async () => {
  api = await startGitHub()
  artifacts = await startArtifactService()
})
after(async () => {
  await api.close()
  await artifacts.close()
})

const config = (more = 'blocks: 1\n', modes = '[fpm, fibers]') => ({
  '.github/async-php-bench.yml': `modes: ${modes}\nworkloads: [{ name: home, path: / }]\nloads: { low: { concurrency: 4 } }\nprofile: quick\nbudget: 20m\ndatabase: none\n${more}`,
})

const newPullRequest = async (): Promise<number> => {
  const { data } = await api.call('POST', '/repos/gate-bot/app/issues', { title: 'a pull request' })
  return (data as { number: number }).number
}
const commentsOf = async (number: number): Promise<string[]> =>
  ((await api.call('GET', `/repos/gate-bot/app/issues/${number}/comments?per_page=100`)).data as { body: string }[]).map(({ body }) => body)

/** A step of a workflow in the emulated repository. */
const step = (file: Step['file'], workspace: string, run: number, { github = {}, ...more }: Partial<Step> = {}) =>
  runStep({ file, workspace, github: { API_URL: api.url, REPOSITORY: 'gate-bot/app', RUN_ID: String(run), ...github }, ...more })

describe('the Action', () => {
  let number = 0
  before(async () => {
    number = await newPullRequest()
  })
  const act = (workspace: string, run: number, inputs: Record<string, string> = {}, env: Record<string, string> = {}) =>
    step('gate-action', workspace, run, {
      inputs: { 'github-token': TOKEN, ...inputs },
      payload: { pull_request: { number, base: { sha: '0'.repeat(40) } }, before: '' },
      env,
    })

  test('sets outputs, writes the summary and one comment, updated in place, and uploads its results', async () => {
    const workspace = await repository({ base: config() })
    const first = await act(workspace, 10, {}, artifacts.env)
    assert.equal(first.code, 0, first.log)
    assert.match(first.outputs, /verdict<<\S+\nnot-gated\n/)
    assert.match(first.outputs, /release-notes<<\S+\n### Asynchronous gain\n/)
    assert.match(first.summary, /Not gated/)
    const comments = await commentsOf(number)
    assert.equal(comments.length, 1)
    assert.match(comments[0] ?? '', /^<!-- async-php-bench:default run:10 -->\n## .*Not gated/)
    assert.ok(comments[0]?.includes(`${SERVER}/gate-bot/app/actions/runs/10`), comments[0])
    const files = unzipSync(artifacts.stored.get('async-php-bench-default') ?? new Uint8Array())
    for (const name of ['samples.csv', 'run.json', 'analysis.json', 'summary.md', 'report.html', 'plots/throughput_by_load.png'])
      assert.deepEqual(Buffer.from(files[name] ?? []), readFileSync(join(first.results, name)), name)
  })

  test('wrong input fails the step with the place', async () => {
    const done = await act(await repository({ base: config() }), 13, { budget: 'soon' })
    assert.equal(done.code, 1)
    assert.match(done.log, /::error::input: budget: found "soon"/)
  })

  test('an invalid measurement fails the step, and is published', async () => {
    const broken = await repository({ base: config(), head: { 'bench/app.php': '<?php broken(' } })
    const done = await act(broken, 14, { 'comment-key': 'second' })
    assert.equal(done.code, 1)
    assert.match(done.log, /::error title=async-php-bench%3A invalid::/)
    assert.match((await commentsOf(number))[1] ?? '', /async-php-bench:second run:14[\s\S]*head: bench\/app\.php:1: cannot be parsed/)
    assert.match(done.outputs, /exit-code<<\S+\n3\n/)
    assert.ok(!done.log.replaceAll(`::add-mask::${TOKEN}`, '').includes(TOKEN))

    const older = await act(broken, 9)
    assert.match((await commentsOf(number))[0] ?? '', /run:10/, 'an older run of the pull request leaves the comment alone')
    assert.match(older.log, /comment: newer-exists/)
  })

  test('a regression fails the step unless somebody accepted it for this commit', async () => {
    const app = readFileSync(join(PACKAGE, 'examples', 'minimal-app', 'src', 'Core', 'App.php'), 'utf8')
    const rules = 'accept-label: slower is fine\n'
    // Errors of head are a regression after one block. They occur only under load, so that preflight passes.
    const failing = app.replace(
      'return $this->router',
      "if (str_starts_with($request->getHeaderLine('User-Agent'), 'hey') && random_int(1, 50) === 1) {\n            throw new \\RuntimeException('now and then');\n        }\n\n        return $this->router",
    )
    const erring = await repository({ base: config(`blocks: 1\n${rules}`), head: { 'src/Core/App.php': failing } })
    const pull = await newPullRequest()
    const [sha, other] = ['a'.repeat(40), 'b'.repeat(40)]
    const from = { full_name: 'gate-bot/app' }
    const label = (method: string, path = '', body?: object) => api.call(method, `/repos/gate-bot/app/issues/${pull}/labels${path}`, body)
    api.permissions.set('somebody', 'write')
    const gated = (run: number, head: string) => {
      const pullRequest = {
        number: pull,
        user: { login: 'author' },
        base: { sha: other, ref: 'main' },
        head: { sha: head, ref: 'topic', repo: from },
      }
      api.pulls = [{ ...pullRequest, state: 'open' }]
      return step('gate-action', erring, run, { inputs: { 'github-token': TOKEN }, payload: { pull_request: pullRequest } })
    }

    await label('POST', '', { labels: ['slower is fine'] })
    const unseen = await gated(20, sha)
    assert.equal(unseen.code, 1, unseen.log)
    assert.match(unseen.log, /the label "slower is fine" of somebody at .* accepts nothing: it was not added after a regression/)
    assert.match(unseen.summary, /Regressed: head answers with errors/)
    assert.match(unseen.outputs, /accepted-by<<(\S+)\n\n\1/)
    assert.match((await commentsOf(pull))[0] ?? '', /^<!-- async-php-bench:default run:20 -->\n## .*Regressed/)
    await label('DELETE', '/slower%20is%20fine')
    await label('POST', '', { labels: ['slower is fine'] })
    const accepted = await gated(20, sha)
    assert.equal(accepted.code, 0, accepted.log)
    assert.match(accepted.outputs, /verdict<<\S+\nregressed\n/)
    assert.match(accepted.outputs, /accepted-by<<\S+\nsomebody\n/)
    assert.match(accepted.log, /::warning title=async-php-bench%3A regressed::[^\n]*Accepted by somebody/)
    const says = /accepted by `somebody` at \d{4}-\d\d-\d\dT[\d:.]+Z, for this commit only/
    assert.match((await commentsOf(pull))[0] ?? '', says)
    assert.match(accepted.summary, says)

    assert.deepEqual(await leftovers(), [])
  })

  test('a release gets its assets, notes and history, though its artifact is refused', async () => {
    const workspace = await repository({ base: config('blocks: 1\nbaseline: latest-release\nhistory-branch: gains\n') })
    await git(workspace, 'tag', 'v1.0.0', 'HEAD^')
    await git(workspace, 'tag', 'v1.1.0')
    const named = { '.github/async-php-bench.yml': 'history-branch: gains\n' }
    await api.commit('where the history is kept', [await api.headOf('main')], { branch: 'main', files: named })
    const { data } = await api.call('POST', '/repos/gate-bot/app/releases', { tag_name: 'v1.1.0' })
    const { id } = data as { id: number }
    artifacts.refusals = 1
    const done = await step('gate-action', workspace, 30, {
      inputs: { 'github-token': TOKEN, 'attach-to-release': 'true' },
      github: { EVENT_NAME: 'release', REF: 'refs/tags/v1.1.0', SHA: 'c'.repeat(40) },
      payload: { action: 'published', release: { id } },
      env: artifacts.env,
    })
    assert.equal(done.code, 0, done.log)
    assert.match(done.log, /::notice::async-php-bench: the artifact could not be published: .*refused on purpose/)
    assert.match(done.log, /base v1\.0\.0/)
    assert.match(done.outputs, /release-notes<<\S+\n### Asynchronous gain[\s\S]*\| `home \/ low` \|/)
    const assets = (await api.call('GET', `/repos/gate-bot/app/releases/${id}/assets`)).data as { name: string; size: number }[]
    const sizeOf = (file: string): number => readFileSync(join(done.results, file)).length
    assert.deepEqual(assets.map(({ name, size }) => [name, size]).sort(), [
      ['async-php-bench-analysis.json', sizeOf('analysis.json')],
      ['async-php-bench-report.html', sizeOf('report.html')],
    ])
    const kept = (await api.call('GET', '/repos/gate-bot/app/contents/async-php-bench/default.jsonl?ref=gains')).data as { content: string }
    const record = JSON.parse(Buffer.from(kept.content, 'base64').toString())
    assert.deepEqual([record.commit, record.verdict, record.cells[0].cell], ['c'.repeat(40), 'not-gated', 'home/low'])
    assert.ok(record.cells[0].gain > 0)
  })
})

describe('the pair of sub-actions', () => {
  test('plans a matrix without measuring', async () => {
    const done = await runStep({ file: 'measure-action', workspace: await repository({ base: config('') }), inputs: { 'plan-jobs': '5' } })
    assert.equal(done.code, 0, done.log)
    assert.match(done.outputs, /matrix<<\S+\n\{"include":\[\{"job":"1","blocks":2\}/)
  })

  test('measures a block in each job of a fork, without a token and without a verdict, and reports them together', async () => {
    const workspace = await repository({ base: config('') })
    const run = 40
    const names = ['first', 'second'].map((job) => artifactName('default', job))
    for (const job of ['first', 'second']) {
      const done = await step('measure-action', workspace, run, { inputs: { job, blocks: '1' }, env: artifacts.env })
      assert.equal(done.code, 0, done.log)
      assert.ok(!existsSync(join(done.results, 'analysis.json')))
    }
    const zips = names.map((name) => ({ name, zip: artifacts.stored.get(name) as Uint8Array }))
    const rows = zips.flatMap(({ zip }) => plannedRows(strFromU8(unzipSync(zip)['samples.csv'] ?? new Uint8Array())))
    assert.deepEqual(
      rows.map((row) => row.slice(0, 2).join()),
      [...Array(4).fill('first,1'), ...Array(4).fill('second,1')],
    )

    const [base, sha] = [await git(workspace, 'rev-parse', 'HEAD^'), await git(workspace, 'rev-parse', 'HEAD')]
    api.compared.set(`${base}...main`, 'identical')
    const from = { full_name: 'stranger/app', owner: { login: 'stranger' } }
    const number = await newPullRequest()
    api.artifacts.set(run, zips)
    const head = { sha, ref: 'topic', label: 'stranger:topic', repo: from }
    api.pulls = [{ number, state: 'open', head, base: { ref: 'main' }, user: from.owner, labels: [] }]
    // The default branch's files, without the pull request's.
    const trusted = temporary()
    mkdirSync(join(trusted, '.github'))
    for (const [name, text] of Object.entries(config('blocks: 2\n'))) writeFileSync(join(trusted, name), text)
    const reported = await step('report-action', trusted, run + 1, {
      inputs: { 'github-token': TOKEN },
      github: { EVENT_NAME: 'workflow_run' },
      payload: {
        workflow_run: { id: run, event: 'pull_request', head_sha: sha, head_branch: 'topic', head_repository: from, pull_requests: [] },
      },
    })
    assert.equal(reported.code, 0, reported.log)
    assert.match((await commentsOf(number))[0] ?? reported.log, /^<!-- async-php-bench:default run:40 -->\n## .*Not gated/)
    assert.equal(JSON.parse(readFileSync(join(reported.results, 'analysis.json'), 'utf8')).blocks, 2)
    const check = api.written.findLast(({ path }) => path.endsWith('/check-runs'))?.body as { conclusion: string; head_sha: string }
    assert.deepEqual([check.conclusion, check.head_sha], ['action_required', sha])
  })

  test('fails with the reason if its data cannot be kept', async () => {
    artifacts.refusals = 1
    const workspace = await repository({ base: config('') })
    const done = await step('measure-action', workspace, 50, { inputs: { blocks: '1' }, env: artifacts.env })
    assert.equal(done.code, 1, done.log)
    assert.match(done.log, /::error::.*refused on purpose/)
  })
})
