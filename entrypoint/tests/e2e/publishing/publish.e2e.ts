/** Publishing against a GitHub API that is not ours: states, faults, and bodies that the published OpenAPI accepts. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { exitCodeOf, type Outcome } from '../../../analyse/outcome.ts'
import { PACKAGE } from '../../../config/catalog.ts'
import type { Verdict } from '../../../config/experiment.ts'
import { findAcceptance } from '../../../publish/accept.ts'
import { artifactName } from '../../../publish/artifacts.ts'
import { client } from '../../../publish/client.ts'
import { attempt, comment } from '../../../publish/github.ts'
import { appended, appendHistory, recordOf } from '../../../publish/history.ts'
import type { HistoryRecord } from '../../../publish/history-record.ts'
import { attachToRelease, releaseNotes } from '../../../publish/release.ts'
import { type GitHubApi, startGitHub, TOKEN } from '../github-api.ts'
import { temporary } from '../harness.ts'
import { runStep } from '../runner.ts'

const REPOSITORY = { owner: 'gate-bot', repo: 'app' }
const outcome = (verdict: Verdict, summary = `## ${verdict}\n`): Outcome => ({
  verdict,
  reasons: ['because'],
  summary,
  exitCode: exitCodeOf(verdict),
})

let api: GitHubApi
let lines: string[] = []
const say = (line: string): void => void lines.push(line)
before(async () => {
  api = await startGitHub()
  process.env.GITHUB_API_URL = api.url
  process.env.GITHUB_SERVER_URL = 'https://github.test'
  process.env.GITHUB_REPOSITORY = 'gate-bot/app'
})
after(() => api.close())
afterEach(() => {
  assert.deepEqual(
    api.faults.filter(({ times }) => times > 0),
    [],
    'every fault was met',
  )
  api.faults = []
  lines = []
})

let issue = 0
const newIssue = async (): Promise<number> => {
  const { data } = await api.call('POST', '/repos/gate-bot/app/issues', { title: 'a pull request' })
  issue = (data as { number: number }).number
  return issue
}
const bodies = async (number: number): Promise<string[]> =>
  ((await api.call('GET', `/repos/gate-bot/app/issues/${number}/comments?per_page=100`)).data as { body: string }[]).map(({ body }) => body)
const post = (number: number, run: number, key = 'default', verdict: Verdict = 'pass'): Promise<void> =>
  comment(client(TOKEN, say, 500), REPOSITORY, number, key, run, outcome(verdict))

describe('the comment', () => {
  test('is found behind a page of talk, updated in place, one for each key, and never by an older run', async () => {
    const number = await newIssue()
    await post(number, 5)
    for (let i = 0; i < 110; i++) await api.call('POST', `/repos/gate-bot/app/issues/${number}/comments`, { body: `talk ${i}` })
    await api.call('POST', `/repos/gate-bot/app/issues/${number}/comments`, { body: '<!-- async-php-bench:second run:9 -->\nforged' })
    await post(number, 6, 'default', 'regressed')
    await post(number, 4)
    await post(number, 6, 'second')
    const first = await bodies(number)
    assert.equal(first.length, 100)
    assert.match(first[0] as string, /run:6 -->\n## regressed[\s\S]*github\.test\/gate-bot\/app\/actions\/runs\/6/)
    const second = (await api.call('GET', `/repos/gate-bot/app/issues/${number}/comments?per_page=100&page=2`)).data as { body: string }[]
    assert.equal(second.filter(({ body }) => body.startsWith('<!-- async-php-bench:second run:6')).length, 1)
    assert.equal(second.filter(({ body }) => body.includes('forged')).length, 1)
  })

  const path = /\/comments/
  const recovered: [string, Parameters<typeof api.faults.push>[0]][] = [
    ['a rate limit with retry-after', { method: 'POST', path, status: 429, headers: { 'retry-after': '1' }, times: 1 }],
    [
      'a secondary rate limit',
      {
        method: 'POST',
        path,
        status: 403,
        headers: { 'retry-after': '1' },
        body: { message: 'You have exceeded a secondary rate limit. Please wait.' },
        times: 1,
      },
    ],
    ['an error of the server', { method: 'POST', path, status: 502, times: 1 }],
    ['an answer that does not come', { method: 'GET', path, status: 0, hangs: true, times: 1 }],
  ]
  for (const [name, fault] of recovered) {
    test(`survives ${name}`, async () => {
      const number = await newIssue()
      api.faults = [fault]
      await post(number, 1)
      assert.equal((await bodies(number)).length, 1)
    })
  }

  for (const [status, hint] of [
    [403, /pull-requests: write/],
    [404, /pull-requests: write/],
    [422, /could not be published: .*on purpose/],
  ] as const) {
    test(`that is answered with ${status} is a notice`, async () => {
      const number = await newIssue()
      api.faults = [{ method: 'POST', path, status, times: 1 }]
      const done = await noticed(() => attempt('comment', 'pull-requests: write', () => post(number, 1)))
      assert.match(done, /::notice::async-php-bench: the comment could not be published/)
      assert.match(done, hint)
      assert.match(done, /The verdict stands/)
    })
  }
})

/** What was written to the log of the job meanwhile. */
async function noticed(work: () => Promise<unknown>): Promise<string> {
  const write = process.stdout.write
  let text = ''
  process.stdout.write = ((chunk: string | Uint8Array) => {
    text += chunk.toString()
    return true
  }) as typeof process.stdout.write
  try {
    await work()
  } finally {
    process.stdout.write = write
  }
  return text
}

describe('a regression', () => {
  const [sha, other] = ['a'.repeat(40), 'b'.repeat(40)]
  const head = { headSha: sha, branch: 'work', from: 'stranger/app' }
  const accepted = async (number: number) => findAcceptance(client(TOKEN, say), REPOSITORY, { ...head, number }, 'slower is fine')
  /** The branch had these commits at these times, in seconds from now. */
  const pushed = (...commits: [number, string][]): void => {
    const run = ([seconds, commit]: [number, string], from: string) => ({
      event: 'pull_request',
      created_at: new Date(Date.now() + seconds * 1000).toISOString(),
      head_sha: commit,
      head_repository: { full_name: from },
    })
    // Somebody else has a branch of this name, too.
    api.runs.set('work', [...commits.map((commit) => run(commit, 'stranger/app')), run([-1, other], 'else/app')])
  }

  test('is accepted by a label that was put on while this commit was the head, and only so', async () => {
    const number = await newIssue()
    pushed([-60, sha])
    assert.equal(await accepted(number), undefined)
    await api.call('POST', `/repos/gate-bot/app/issues/${number}/labels`, { labels: ['slower is fine', 'other'] })
    assert.equal((await accepted(number))?.by, 'somebody')
    pushed([60, sha], [-60, other])
    assert.equal(await accepted(number), undefined, 'a later commit')
    pushed([60, sha], [-60, other], [-90, sha])
    assert.equal(await accepted(number), undefined, 'an earlier commit that is pushed again')
    pushed([60, sha], [-60, sha], [-90, other])
    assert.equal((await accepted(number))?.by, 'somebody', 'run again for the same commit')
    await api.call('DELETE', `/repos/gate-bot/app/issues/${number}/labels/slower%20is%20fine`)
    assert.equal(await accepted(number), undefined, 'taken off')
  })
})

describe('a release', () => {
  test('carries the analysis, and a second try replaces it', async () => {
    const out = temporary()
    writeFileSync(join(out, 'report.html'), '<p>')
    const { data } = await api.call('POST', '/repos/gate-bot/app/releases', { tag_name: 'v1' })
    const { id } = data as { id: number }
    for (const text of ['{}', '{"second":1}']) {
      writeFileSync(join(out, 'analysis.json'), text)
      await attachToRelease(client(TOKEN, say), REPOSITORY, id, out)
    }
    const assets = (await api.call('GET', `/repos/gate-bot/app/releases/${id}/assets`)).data as { name: string; size: number }[]
    assert.deepEqual(assets.map(({ name, size }) => [name, size]).sort(), [
      ['async-php-bench-analysis.json', 12],
      ['async-php-bench-report.html', 3],
    ])
  })

  test('has a block for its notes', () => {
    const cell = { workload: 'invoice', load: 'high', gain_base: 1.5, gain_head: 1.44, change: 0.96, change_low: 0.93, change_high: 0.99 }
    const analysis = { pooled: { change: 0.96, change_low: 0.93, change_high: 0.99 }, cells: [cell] } as unknown as Outcome['analysis']
    assert.equal(
      releaseNotes({ ...outcome('inconclusive'), analysis }, 'v1.2.0'),
      [
        '### Asynchronous gain',
        '',
        'Inconclusive: because',
        '',
        'Against `v1.2.0`, over all cells: -4.0 % (95 % CI -7.0 % to -1.0 %).',
        '',
        '| workload / load | gain before | gain now | change (95 % CI) |',
        '|---|---:|---:|---:|',
        '| `invoice / high` | 1.50x | 1.44x | -4.0 % (-7.0 % to -1.0 %) |',
        '',
      ].join('\n'),
    )
  })
})

describe('the history', () => {
  const cell = { workload: 'a', load: 'b', gain_head: 1.5, change: 0.9, change_low: 0.8, change_high: 1 }
  const record = (commit: string): HistoryRecord =>
    recordOf({ ...outcome('pass'), analysis: { cells: [cell] } as unknown as Outcome['analysis'] }, commit, new Date(0)) as HistoryRecord
  const file = async (name: string): Promise<string> => {
    const { data } = await api.call('GET', `/repos/gate-bot/app/contents/async-php-bench/${name}?ref=gains`)
    return Buffer.from((data as { content: string }).content, 'base64').toString()
  }

  test('is begun, continued, and not lost where another job pushes at the same time', async () => {
    const append = (commit: string): Promise<void> => appendHistory(client(TOKEN, say), REPOSITORY, 'gains', 'default', record(commit))
    await append('first')
    await append('second')
    api.faults = [{ method: 'PATCH', path: /git\/refs/, status: 422, body: { message: 'Update is not a fast forward' }, times: 1 }]
    await append('third')
    const lines = (await file('default.jsonl')).trim().split('\n')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).commit),
      ['first', 'second', 'third'],
    )
    assert.match(await file('default.html'), /const records = \[\{"time":"1970-01-01T00:00:00\.000Z","commit":"first"/)
  })

  test('keeps 500 lines', () => {
    let lines = ''
    for (let i = 0; i < 510; i++) lines = appended(lines, record(`c${i}`))
    assert.equal(lines.trim().split('\n').length, 500)
    assert.ok(lines.startsWith('{"time":"1970-01-01T00:00:00.000Z","commit":"c10"'))
  })
})

/** Runs of the recording as a job's samples, with other names. */
function samples(loss: boolean): string {
  const directory = join(PACKAGE, 'r', 'calibration', 'recorded', 'quiet')
  const [header, ...rows] = gunzipSync(readFileSync(join(directory, 'aa.csv.gz')))
    .toString()
    .trim()
    .split('\n') as [string, ...string[]]
  const column = header.split(',').indexOf('goodput_rps')
  const cells = rows.map((row) => row.split(',')).filter((row) => Number(row[1]) <= 10)
  for (const row of cells) if (loss && row[6] === 'head' && row[7] === 'fibers') row[column] = String(Number(row[column]) * 0.6)
  return `${[header, ...cells.map((row) => row.join(','))].join('\n')}\n`
}

describe('the report of another run', () => {
  const sha = 'b'.repeat(40)
  const fork = { full_name: 'stranger/app', owner: { login: 'stranger' } }
  const own = { full_name: 'gate-bot/app', owner: { login: 'gate-bot' } }
  let run = 1000

  interface Reported {
    code: number
    log: string
    check: { conclusion: string; head_sha: string; output: { title: string; summary: string } } | undefined
    comments: string[]
    temp: string
  }

  async function reported(files: Record<string, Uint8Array>, from = fork, pull = true): Promise<Reported> {
    run++
    const number = await newIssue()
    api.artifacts.set(run, [{ name: artifactName('default', '1'), zip: zipSync(files) }])
    const head = { sha, ref: 'topic', label: `${from.owner.login}:topic`, repo: { full_name: from.full_name } }
    api.pulls = pull ? [{ number, head, labels: [] }] : []
    const workspace = temporary()
    mkdirSync(join(workspace, '.github'))
    writeFileSync(join(workspace, '.github', 'async-php-bench.yml'), 'modes: [fpm, fibers]\n')
    const before = api.written.length
    const { code, log, temp } = await runStep({
      file: 'report-action',
      workspace,
      inputs: { 'github-token': TOKEN },
      github: { API_URL: api.url, REPOSITORY: 'gate-bot/app', EVENT_NAME: 'workflow_run' },
      payload: {
        workflow_run: { id: run, event: 'pull_request', head_sha: sha, head_branch: 'topic', head_repository: from, pull_requests: [] },
      },
    })
    const check = api.written.slice(before).find(({ path }) => path.endsWith('/check-runs'))?.body as Reported['check']
    return { code, log, check, comments: await bodies(number), temp }
  }

  test('of a fork comments, and its check is advisory', async () => {
    const done = await reported({ 'samples.csv': strToU8(samples(false)) })
    assert.match(done.comments[0] ?? done.log, /async-php-bench:default run:\d+ -->\n## /)
    assert.deepEqual([done.check?.conclusion, done.check?.head_sha], ['neutral', sha])
  })

  test('of a branch of our own fails its check where the gain is lost', async () => {
    const done = await reported({ 'samples.csv': strToU8(samples(true)) }, own)
    assert.equal(done.check?.conclusion, 'failure', done.log)
    assert.equal(done.code, 1)
    assert.match(done.comments[0] ?? '', /Regressed/)
  })

  test('whose pull request has moved on has nowhere to comment', async () => {
    const done = await reported({ 'samples.csv': strToU8(samples(false)) }, own, false)
    assert.deepEqual(done.comments, [])
    assert.match(done.log, /no open pull request has the head/)
    assert.ok(done.check)
  })

  const hostile: [string, Record<string, Uint8Array>, RegExp][] = [
    ['without samples', { 'other.txt': strToU8('x') }, /has no samples\.csv/],
    ['with a path outside', { '../../samples.csv': strToU8(samples(false)), '/etc/samples.csv': strToU8('x') }, /has no samples\.csv/],
    [
      'with a script for a name',
      { 'samples.csv': strToU8(samples(false).replaceAll(',fibonacci,', ',<script>alert(1)</script>,')) },
      /column workload: found/,
    ],
    ['with a mention for a job', { 'samples.csv': strToU8(samples(false).replaceAll('\n1,', '\n@everyone,')) }, /column job: found/],
    [
      'with modes that were not asked for',
      { 'samples.csv': strToU8(samples(false).replaceAll(',fibers,', ',swoole,')) },
      /found "swoole", allowed: fpm, fibers/,
    ],
    [
      'that is bigger than any job',
      { 'samples.csv': new Uint8Array(2 ** 24 + 1) },
      /samples\.csv says 16777217 bytes, at most 16777216 are read/,
    ],
    ['that is no text', { 'samples.csv': new Uint8Array(5000).fill(255) }, /samples\.csv/],
  ]
  for (const [name, files, message] of hostile) {
    test(`${name} is invalid, published, and does no harm`, async () => {
      const done = await reported(files)
      assert.equal(done.code, 1, done.log)
      assert.match(done.comments[0] ?? done.log, message)
      assert.match(done.comments[0] ?? '', /Invalid/)
      assert.equal(done.check?.conclusion, 'failure')
      const outside = (done.comments[0] ?? '').replace(/~~~text[\s\S]*~~~/, '')
      assert.doesNotMatch(outside, /<script>|@everyone/)
      assert.ok(!existsSync(join(done.temp, 'samples.csv')))
    })
  }

  test('takes numbers only of a run.json, and none of a wrong one', async () => {
    const text = JSON.stringify({ schema: 1, warnings: ['<img src=x onerror=alert(1)> @everyone'], modes: ['fpm', 'fibers'], looks: 1 })
    const done = await reported({ 'samples.csv': strToU8(samples(false)), 'run.json': strToU8(text) })
    assert.ok(done.comments[0] && !/onerror|everyone/.test(done.comments[0]), done.log)
    const report = readdirSync(done.temp, { recursive: true }).find((file) => String(file).endsWith('report.html'))
    assert.doesNotMatch(readFileSync(join(done.temp, String(report)), 'utf8'), /onerror=alert/)
  })

  test('without an artifact says that nothing was measured', async () => {
    const done = await reported({}, own)
    api.artifacts.clear()
    assert.match(done.log, /has no samples\.csv|left no artifact/)
    assert.equal(done.code, 1)
  })
})

describe('what was written', () => {
  test("is valid against GitHub's OpenAPI", async () => {
    const spec = join(PACKAGE, 'node_modules', '@octokit', 'openapi', 'generated', 'api.github.com.json')
    const command = [join(PACKAGE, 'node_modules', '.bin', 'prism'), 'mock', '--errors', '--port', '4597', spec]
    const prism = spawn(command[0] as string, command.slice(1), { stdio: 'ignore' })
    const ask = (method: string, path: string, body: unknown) =>
      fetch(`http://127.0.0.1:4597${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    try {
      for (let i = 0; i < 200; i++) {
        if (await ask('GET', '/zen', undefined).catch(() => undefined)) break
        await sleep(300)
      }
      assert.equal((await ask('POST', '/repos/o/r/issues/1/comments', { text: 'x' })).status, 422, 'a wrong body is seen')
      const kinds = new Set<string>()
      for (const { method, path, body } of api.written.filter(({ path }) => !path.includes('/assets'))) {
        const answer = await ask(method, path, body)
        assert.ok(answer.status < 400, `${method} ${path} ${JSON.stringify(body).slice(0, 500)}: ${answer.status} ${await answer.text()}`)
        kinds.add(`${method} ${path.replace(/\d+/g, 'N')}`)
      }
      assert.deepEqual([...kinds].sort(), [
        'PATCH /repos/gate-bot/app/git/refs/heads%NFgains',
        'PATCH /repos/gate-bot/app/issues/comments/N',
        'POST /repos/gate-bot/app/check-runs',
        'POST /repos/gate-bot/app/git/commits',
        'POST /repos/gate-bot/app/git/refs',
        'POST /repos/gate-bot/app/git/trees',
        'POST /repos/gate-bot/app/issues/N/comments',
      ])
    } finally {
      prism.kill('SIGKILL')
    }
  })
})
