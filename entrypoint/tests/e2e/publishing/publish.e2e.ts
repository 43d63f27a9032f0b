/** Publishing with an independent GitHub API: states, faults, and bodies that the published OpenAPI accepts. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Verdict } from '../../../analyse/analyse.ts'
import { exitCodeOf, type Outcome } from '../../../analyse/outcome.ts'
import { PACKAGE } from '../../../config/catalog.ts'
import { findAcceptance } from '../../../publish/accept.ts'
import { conclusionOf, createCheck, type Standing } from '../../../publish/check.ts'
import { client } from '../../../publish/client.ts'
import { renderComment } from '../../../publish/comment.ts'
import { comment } from '../../../publish/comments.ts'
import { attempt } from '../../../publish/github.ts'
import { appended, appendHistory, recordOf } from '../../../publish/history.ts'
import { historyBranch } from '../../../publish/history-branch.ts'
import type { HistoryRecord } from '../../../publish/history-record.ts'
import { attachToRelease, releaseNotes } from '../../../publish/release.ts'
import { type GitHubApi, startGitHub, TOKEN } from '../github-api.ts'
import { temporary } from '../harness.ts'

const REPOSITORY = { owner: 'gate-bot', repo: 'app' }
const outcome = (verdict: Verdict, summary = `## ${verdict}\n`): Outcome => ({
  verdict,
  reasons: ['because'],
  parts: { analysis: summary },
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

const PROTECTION = { required_status_checks: null, enforce_admins: true, required_pull_request_reviews: null, restrictions: null }

let issue = 0
const newIssue = async (): Promise<number> => {
  const { data } = await api.call('POST', '/repos/gate-bot/app/issues', { title: 'a pull request' })
  issue = (data as { number: number }).number
  return issue
}
const bodies = async (number: number): Promise<string[]> =>
  ((await api.call('GET', `/repos/gate-bot/app/issues/${number}/comments?per_page=100`)).data as { body: string }[]).map(({ body }) => body)
const post = (number: number, run: number, key = 'default', verdict: Verdict = 'pass'): Promise<void> =>
  comment(client(TOKEN, say, 500), REPOSITORY, { pull: { number, headSha: '' }, key, run }, outcome(verdict))

describe('the comment', () => {
  test('is found after a page of other comments, updated in place, one per key, and never by an older run', async () => {
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
    test(`with the answer ${status} is a notice`, async () => {
      const number = await newIssue()
      api.faults = [{ method: 'POST', path, status, times: 1 }]
      const done = await noticed(() => attempt('comment', 'pull-requests: write', () => post(number, 1)))
      assert.match(done, /::notice::async-php-bench: the comment could not be published/)
      assert.match(done, hint)
      assert.match(done, /The verdict stands/)
    })
  }
})

/** The output to the job's log meanwhile. */
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
  const label = 'slower is fine'

  /** A pull request with our comment, as the next run finds it. */
  async function shown(verdict: Verdict = 'regressed', head = sha): Promise<number> {
    const number = await newIssue()
    await comment(client(TOKEN, say), REPOSITORY, { pull: { number, headSha: sha }, key: 'default', run: 1 }, outcome(verdict), {
      head,
      verdict,
    })
    return number
  }
  const accepted = async (number: number, more: { headSha?: string; author?: string; mayBeAuthor?: boolean } = {}) => {
    const { headSha = sha, author = 'stranger', mayBeAuthor = false } = more
    const pull = { number, headSha, base: 'main', author }
    return findAcceptance({ api: client(TOKEN, say), repository: REPOSITORY, pull, key: 'default', run: 9, label, mayBeAuthor, say })
  }
  const put = (number: number) => api.call('POST', `/repos/gate-bot/app/issues/${number}/labels`, { labels: [label, 'other'] })
  const move = (number: number, event: string, seconds: number): void =>
    void api.events.set(number, [
      { event, created_at: new Date(Date.now() + seconds * 1000).toISOString(), actor: { login: 'stranger', type: 'User' } },
    ])
  before(() => api.permissions.set('somebody', 'write'))

  test('is accepted only by a label that was added after its publication for this commit', async () => {
    const number = await shown()
    assert.equal((await accepted(number)).accepted, undefined, 'no label')
    await put(number)
    assert.equal((await accepted(number)).accepted?.by, 'somebody')
    assert.equal((await accepted(number, { headSha: other })).accepted, undefined, 'a later commit')
    await api.call('DELETE', `/repos/gate-bot/app/issues/${number}/labels/slower%20is%20fine`)
    assert.equal((await accepted(number)).accepted, undefined, 'taken off')
  })

  test('is not accepted before it was published', async () => {
    const number = await newIssue()
    await put(number)
    assert.equal((await accepted(number)).accepted, undefined, 'no comment')
    await comment(client(TOKEN, say), REPOSITORY, { pull: { number, headSha: sha }, key: 'default', run: 1 }, outcome('regressed'), {
      head: sha,
      verdict: 'regressed',
    })
    assert.equal((await accepted(number)).accepted, undefined, 'a label from before the comment')
    assert.match(lines.join('\n'), /label "slower is fine" of somebody .* accepts nothing: it was not added after a regression of a{40}/)
    for (const verdict of ['pass', 'inconclusive', 'invalid'] as const) {
      const another = await shown(verdict)
      await put(another)
      assert.equal((await accepted(another)).accepted, undefined, verdict)
    }
  })

  test("is not accepted by somebody else's comment", async () => {
    const number = await newIssue()
    const body = renderComment('default', 1, 'x', '', { head: sha, verdict: 'regressed', regressed: '2020-01-01T00:00:00Z' })
    await api.call('POST', `/repos/gate-bot/app/issues/${number}/comments`, { body })
    await put(number)
    assert.equal((await accepted(number)).accepted, undefined)
  })

  test('stays accepted when the commit is measured again, and not for another one', async () => {
    const number = await shown()
    await put(number)
    for (const run of [1, 2, 3]) {
      const { accepted: by, since } = await accepted(number)
      assert.equal(by?.by, 'somebody', `run ${run}`)
      await comment(client(TOKEN, say), REPOSITORY, { pull: { number, headSha: sha }, key: 'default', run: run }, outcome('regressed'), {
        head: sha,
        verdict: 'regressed',
        regressed: since,
      })
    }
    await comment(client(TOKEN, say), REPOSITORY, { pull: { number, headSha: sha }, key: 'default', run: 4 }, outcome('regressed'), {
      head: other,
      verdict: 'regressed',
    })
    assert.equal((await accepted(number)).accepted, undefined)
    assert.equal((await accepted(number, { headSha: other })).accepted, undefined)
  })

  for (const event of ['head_ref_force_pushed', 'head_ref_restored', 'base_ref_changed']) {
    test(`is not accepted by a label on another commit, which ${event} has hidden`, async () => {
      const number = await shown()
      move(number, event, -60)
      await put(number)
      assert.ok((await accepted(number)).accepted, 'moved before it was published')
      move(number, event, 60)
      assert.equal((await accepted(number)).accepted, undefined, 'moved since')
    })
  }

  test('is accepted by people who may write, not by the author and not by a bot', async () => {
    const number = await shown()
    await put(number)
    assert.equal((await accepted(number, { author: 'Somebody' })).accepted, undefined)
    assert.equal((await accepted(number, { author: '' })).accepted, undefined, 'unknown author')
    assert.equal((await accepted(number, { author: 'somebody', mayBeAuthor: true })).accepted?.by, 'somebody')
    for (const [permission, may] of [
      ['read', false],
      ['none', false],
      ['write', true],
      ['admin', true],
    ] as const) {
      api.permissions.set('somebody', permission)
      assert.equal((await accepted(number)).accepted !== undefined, may, permission)
    }
    api.permissions.set('somebody', 'write')
    for (const actor of [
      { login: 'labels[bot]', type: 'User' },
      { login: 'robot', type: 'Bot' },
    ]) {
      api.permissions.set(actor.login, 'admin')
      const created_at = new Date(Date.now() + 5000).toISOString()
      api.events.set(number, [{ event: 'labeled', created_at, actor, label: { name: label } }])
      assert.equal((await accepted(number, { mayBeAuthor: true })).accepted, undefined, actor.login)
    }
    assert.match(lines.join('\n'), /the author of the pull request cannot accept it[\s\S]*found "read"[\s\S]*a bot cannot accept/)
  })
})

describe('a release', () => {
  test('has the analysis attached, and a second try replaces it', async () => {
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
    const analysis = {
      metric: 'goodput',
      pooled: { change: 0.96, change_low: 0.93, change_high: 0.99 },
      cells: [cell],
    } as unknown as Outcome['analysis']
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
    recordOf(
      { ...outcome('pass'), analysis: { metric: 'goodput', cells: [cell] } as unknown as Outcome['analysis'] },
      commit,
      new Date(0),
    ) as HistoryRecord
  const file = async (name: string): Promise<string> => {
    const { data } = await api.call('GET', `/repos/gate-bot/app/contents/async-php-bench/${name}?ref=gains`)
    return Buffer.from((data as { content: string }).content, 'base64').toString()
  }

  test('is started, continued, and not lost if another job pushes at the same time', async () => {
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
    assert.match(
      await file('default.html'),
      /<script type="application\/json" id="records">\[\{"time":"1970-01-01T00:00:00\.000Z","commit":"first"/,
    )
  })

  test("is kept on the branch that the default branch names, never on people's branches", async () => {
    const head = await api.headOf('main')
    const name = (branch: string) =>
      api.commit(`history on ${branch}`, [head], { branch: 'main', files: { 'bench.yml': `history-branch: ${branch}\n` } })
    const ask = (asked: string, input?: string) => historyBranch(client(TOKEN, say), REPOSITORY, asked, 'bench.yml', input)
    await api.commit('a release', [head], { branch: 'stable' })
    await api.call('PUT', '/repos/gate-bot/app/branches/stable/protection', PROTECTION, TOKEN)
    await name('gains')
    assert.equal(await ask('gains'), 'gains')
    await assert.rejects(ask('elsewhere'), /found "elsewhere", but the configuration on main says "gains"/)
    assert.equal(await ask('other', 'other'), 'other', 'an input of the workflow')
    await assert.rejects(ask('main', 'main'), /"main" is the default branch/)
    await name('main')
    await assert.rejects(ask('main'), /"main" is the default branch/)
    await name('stable')
    await assert.rejects(ask('stable'), /"stable" is a protected branch/)
    const notice = await noticed(() => attempt('history', 'contents: write', async () => void (await ask('stable'))))
    assert.match(
      notice,
      /::notice::.*history could not be published: history-branch: "stable" is a protected branch\. Allowed: a branch for the history alone\. The verdict stands/,
    )
  })

  test('keeps 500 lines', () => {
    let lines = ''
    for (let i = 0; i < 510; i++) lines = appended(lines, record(`c${i}`))
    assert.equal(lines.trim().split('\n').length, 500)
    assert.ok(lines.startsWith('{"time":"1970-01-01T00:00:00.000Z","commit":"c10"'))
  })
})

describe('a check', () => {
  const rulesOf = (on: 'warn' | 'fail' | 'pass') => ({ 'on-inconclusive': on, 'on-not-gated': on }) as const
  const worth = (verdict: Verdict, more: Partial<Standing> = {}, on: 'warn' | 'fail' | 'pass' = 'warn') =>
    conclusionOf(outcome(verdict), rulesOf(on), { isFork: false, others: [], gaps: [], ...more })

  test('satisfies branch protection only if this pull request was measured with code of people who may push', () => {
    assert.deepEqual([worth('pass'), worth('not-gated'), worth('inconclusive')], ['success', 'neutral', 'neutral'])
    assert.deepEqual([worth('inconclusive', {}, 'pass'), worth('inconclusive', {}, 'fail')], ['success', 'failure'])
    assert.equal(worth('pass', { gaps: ['8 of 10 blocks'] }), 'neutral')
    const partly = { ...outcome('pass'), coverage: { gated: 1, of: 2 } }
    const standing = { isFork: false, others: [], gaps: ['1 of 2 cells gated'] }
    assert.deepEqual(
      (['warn', 'fail'] as const).map((on) => conclusionOf(partly, rulesOf(on), standing)),
      ['neutral', 'failure'],
    )
    assert.equal(worth('not-gated', {}, 'fail'), 'failure')
    for (const more of [{ isFork: true }, { others: [7] }]) {
      for (const verdict of ['pass', 'not-gated', 'inconclusive'] as const) assert.equal(worth(verdict, more, 'pass'), 'action_required')
      for (const verdict of ['regressed', 'invalid'] as const) assert.equal(worth(verdict, more), 'failure')
    }
    const accepted = { ...outcome('regressed'), accepted: { by: 'a', at: 'b' } }
    assert.equal(conclusionOf(accepted, rulesOf('warn'), { isFork: false, others: [], gaps: [] }), 'success')
    assert.equal(conclusionOf(accepted, rulesOf('warn'), { isFork: true, others: [], gaps: [] }), 'action_required')
  })

  test('has in its title how far the verdict can be trusted', async () => {
    const standing = { isFork: true, others: [7], gaps: [] }
    const request = {
      key: 'default',
      headSha: 'e'.repeat(40),
      outcome: outcome('pass'),
      rules: rulesOf('warn'),
      link: 'https://x/1',
    } as const
    await createCheck(client(TOKEN, say), REPOSITORY, { ...request, standing })
    const body = api.written.findLast(({ path }) => path.endsWith('/check-runs'))?.body as { output: { title: string } }
    assert.equal(
      body.output.title,
      "pass; not verified: the fork's code ran on the machine that measured this; not for #7, with the same head and another base: because",
    )
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
