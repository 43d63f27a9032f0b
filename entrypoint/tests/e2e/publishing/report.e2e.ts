/** `report` as a runner runs it, with artifacts that a stranger may have written: the compared commits, and the coverage. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { PACKAGE } from '../../../config/catalog.ts'
import { COLUMNS } from '../../../measure/samples.ts'
import { artifactName } from '../../../publish/artifacts.ts'
import { archive } from '../archive.ts'
import { type GitHubApi, startGitHub, TOKEN } from '../github-api.ts'
import { temporary } from '../harness.ts'
import { runStep } from '../runner.ts'

const FORK = { full_name: 'stranger/app', owner: { login: 'stranger' } }
const OWN = { full_name: 'gate-bot/app', owner: { login: 'gate-bot' } }
const CONFIG = 'modes: [fpm, fibers]\nworkloads: [fibonacci]\nloads: { high: { concurrency: 32 } }\naccept-label: slower is fine\n'

let api: GitHubApi
/** Commits of the emulated repository: main goes from old to base. Head is the pull request's, and merge is measured. */
let [old, base, head, merge, side] = ['', '', '', '', '']
before(async () => {
  api = await startGitHub()
  old = await api.headOf('main')
  const files = { 'bench/app.php': '<?php\n', '.github/async-php-bench.yml': CONFIG }
  base = await api.commit('base', [old], { branch: 'main', files })
  head = await api.commit('head', [old])
  side = await api.commit('side', [old], { branch: 'release' })
  merge = await api.commit('merge', [base, head])
})
after(() => api.close())
beforeEach(() => {
  api.branches.clear()
})

type Row = string[]
const at = (column: (typeof COLUMNS)[number]): number => COLUMNS.indexOf(column)
const [header, ...recorded] = gunzipSync(readFileSync(join(PACKAGE, 'r', 'calibration', 'recorded', 'quiet', 'aa.csv.gz')))
  .toString()
  .trim()
  .split('\n') as [string, ...string[]]

/** Recorded runs as a job's samples: the cell fibonacci/high on fpm and fibers, with given changes. */
function samples(change: (row: Row) => Row[] = (row) => [row], blocks = 10): string {
  const rows = recorded.map((line) => line.split(',')).filter((row) => Number(row[at('block')]) <= blocks)
  return `${[header, ...rows.flatMap(change).map((row) => row.join(','))].join('\n')}\n`
}
const replaced = (row: Row, column: (typeof COLUMNS)[number], text: string): Row => row.with(at(column), text)
/** The same answers in a longer window. */
const slower = (row: Row): Row[] => {
  if (row[at('revision')] !== 'head' || row[at('mode')] !== 'fibers') return [row]
  const scaled = (column: (typeof COLUMNS)[number], factor: number): string => String(Number(row[at(column)]) * factor)
  return [replaced(replaced(row, 'goodput_rps', scaled('goodput_rps', 0.6)), 'duration_s', scaled('duration_s', 1 / 0.6))]
}

const runJson = (more: object = {}): object => ({
  schema: 1,
  job: '1',
  seed: 1,
  looks: 1,
  modes: ['fpm', 'fibers'],
  connections: 16,
  instances: 'pool',
  commits: { head: merge, base },
  plan: { blocks: 10, runs: 40, cells: [] },
  probes_ms: [],
  runs: [],
  ...more,
})
const data = (csv = samples(), run: object = runJson()): Record<string, Uint8Array> => ({
  'samples.csv': strToU8(csv),
  'run.json': strToU8(JSON.stringify(run)),
})

interface Reported {
  code: number
  log: string
  checks: { conclusion: string; head_sha: string; output: { title: string; summary: string } }[]
  comments: string[]
  /** Fields of the job. */
  summary: string
  temp: string
}

let runId = 1000
const newPull = async (from = FORK, into = 'main', more: object = {}): Promise<{ number: number }> => {
  const { data: issue } = await api.call('POST', '/repos/gate-bot/app/issues', { title: 'a pull request' })
  return {
    number: (issue as { number: number }).number,
    ...{ state: 'open', head: { sha: head, ref: 'topic', label: `${from.owner.login}:topic`, repo: from }, base: { ref: into } },
    ...{ user: { login: 'author' }, labels: [], merge_commit_sha: null, ...more },
  }
}
const commentsOn = async ({ number }: { number: number }): Promise<string[]> =>
  ((await api.call('GET', `/repos/gate-bot/app/issues/${number}/comments`)).data as { body: string }[]).map(({ body }) => body)

interface Setting {
  from?: typeof FORK
  /** The open ones. By default one of `from` into main. */
  pulls?: { number: number }[]
  config?: string
  github?: Record<string, string>
  /** Whether it is in one workflow with the measuring jobs, instead of after it. */
  payload?: object
  /** Artifacts by job: files, or the archive itself. */
  jobs?: Record<string, Record<string, Uint8Array> | Uint8Array>
  /** The comment key of the measuring jobs. */
  key?: string
}

async function reported(files: Record<string, Uint8Array>, setting: Setting = {}): Promise<Reported> {
  const { from = FORK, config = CONFIG } = setting
  runId++
  const jobs = setting.jobs ?? { '1': files }
  api.artifacts.set(
    runId,
    Object.entries(jobs).map(([job, content]) => ({
      name: artifactName(setting.key ?? 'default', job),
      zip: content instanceof Uint8Array ? content : zipSync(content),
    })),
  )
  api.pulls = setting.pulls ?? [await newPull(from)]
  const workspace = temporary()
  mkdirSync(join(workspace, '.github'))
  writeFileSync(join(workspace, '.github', 'async-php-bench.yml'), config)
  const before = api.written.length
  const { code, log, summary, temp } = await runStep({
    file: 'report-action',
    workspace,
    inputs: { 'github-token': TOKEN },
    github: { API_URL: api.url, REPOSITORY: 'gate-bot/app', EVENT_NAME: 'workflow_run', RUN_ID: String(runId), ...setting.github },
    payload: setting.payload ?? {
      workflow_run: { id: runId, event: 'pull_request', head_sha: head, head_branch: 'topic', head_repository: from, pull_requests: [] },
    },
  })
  const written = api.written.slice(before)
  const checks = written.filter(({ path }) => path.endsWith('/check-runs')).map(({ body }) => body as Reported['checks'][number])
  const comments = (await Promise.all((api.pulls as { number: number }[]).map(commentsOn))).flat()
  return { code, log, checks, comments, summary, temp }
}

/** The verdict is invalid, the check red and published, with this message. */
function isRefused({ code, log, checks, comments }: Reported, message: RegExp): void {
  assert.equal(code, 1, log)
  assert.match(comments[0] ?? log, /Invalid/)
  assert.match(comments[0] ?? '', message)
  assert.deepEqual(
    checks.map(({ conclusion }) => conclusion),
    ['failure'],
  )
}

/** Commits that match, and a condition that does not: it is refused after the commits, and before R runs. */
const misfit = (more: object = {}): Record<string, Uint8Array> => data(samples(), runJson({ connections: 1, ...more }))
const MISFIT = /connections: found 1, expected 16/

describe('the report of another run', () => {
  test('of a fork comments, takes numbers only of run.json, and its check satisfies no branch protection', async () => {
    const loud = { warnings: ['<img src=x onerror=alert(1)> @everyone'], gate: { alpha: 0.5 } }
    const done = await reported(data(samples(), runJson(loud)))
    assert.match(done.comments[0] ?? done.log, /async-php-bench:default run:\d+ -->\n## .*Pass/)
    assert.deepEqual([done.checks[0]?.conclusion, done.checks[0]?.head_sha], ['action_required', head])
    assert.match(done.checks[0]?.output.title ?? '', /^pass; not verified: the fork's code ran on the machine that measured this: /)
    assert.doesNotMatch(done.comments[0] ?? '', /onerror|everyone/)
    const report = readdirSync(done.temp, { recursive: true }).find((file) => String(file).endsWith('report.html'))
    assert.doesNotMatch(readFileSync(join(done.temp, String(report)), 'utf8'), /onerror=alert/)
  })

  test('of a branch of our own, whose head was measured without a merge, sets the check that can be required', async () => {
    const run = runJson({ commits: { head, base: old }, looks: 2 })
    const done = await reported(data(samples(), run), { from: OWN, config: `${CONFIG}blocks: 10\n` })
    assert.equal(done.checks[0]?.conclusion, 'success', done.log)
    assert.match(done.checks[0]?.output.title ?? '', /^pass: The gain/)
    const analysis = JSON.parse(readFileSync(join(done.temp, 'async-php-bench-results', 'analysis.json'), 'utf8'))
    assert.equal(analysis.looks, 1, 'a fixed number of blocks is looked at once, whatever run.json says')
  })

  test('whose pull request has moved on publishes nothing', async () => {
    const done = await reported(data(), { from: OWN, pulls: [] })
    assert.match(done.log, /No open pull request has the head [0-9a-f]{40}: it has moved on or was closed/)
    assert.deepEqual([done.code, done.checks], [0, []])
  })

  test('of a fork writes nothing to a commit that a branch of our own has, too', async () => {
    api.branches.set(head, ['topic-of-ours'])
    const done = await reported(misfit())
    assert.match(done.log, /no comment and no check: [0-9a-f]{40} is also the head of the branch topic-of-ours/)
    assert.deepEqual([done.checks, done.comments], [[], []])
    api.branches.clear()
    api.faults = [{ method: 'GET', path: /branches-where-head/, status: 403, times: 1 }]
    const unknown = await reported(misfit())
    assert.match(unknown.log, /no comment and no check: whether .* is unknown/)
    assert.deepEqual([unknown.checks, unknown.comments, api.faults[0]?.times], [[], [], 0])
    api.faults = []
  })

  test('without an artifact reports that nothing was measured', async () => {
    isRefused(await reported({}, { from: OWN, jobs: {} }), /left no artifact async-php-bench-data-default\+/)
  })

  test('reads no artifact of a gate whose key begins with its own', async () => {
    isRefused(await reported(data(), { from: OWN, key: 'default-x' }), /left no artifact async-php-bench-data-default\+/)
  })
})

describe('a comment of the same account that another workflow posted for a stranger', () => {
  const forged = (run: number): string => `<!-- async-php-bench:default run:${run} -->\n## Pass`
  const withComment = async (run: number) => {
    const pulls = [await newPull(OWN)]
    await api.call('POST', `/repos/gate-bot/app/issues/${pulls[0]?.number}/comments`, { body: forged(run) }, TOKEN)
    return pulls
  }
  const ours = { workflow_id: 1, event: 'pull_request', head_branch: 'topic', head_repository: { id: 1 } }

  test('silences no verdict, whatever run it claims', async () => {
    const later = 900_000
    for (const [run, shown] of [
      ['that there is not', undefined],
      ['of another workflow', { ...ours, workflow_id: 2 }],
      ['of another branch', { ...ours, head_branch: 'other' }],
    ] as const) {
      api.runs.clear()
      api.runs.set(runId + 1, ours)
      if (shown) api.runs.set(later, shown)
      const { comments, log } = await reported(misfit(), { from: OWN, pulls: await withComment(later) })
      assert.deepEqual([comments.length, comments[0]], [2, forged(later)], `${run}: ${log}`)
      assert.match(comments[1] ?? '', new RegExp(`run:${runId} -->\\n## .*Invalid`))
    }
  })

  test('is overwritten if it claims an earlier run', async () => {
    const { comments } = await reported(misfit(), { from: OWN, pulls: await withComment(1) })
    assert.match(comments.join(), /^<!-- async-php-bench:default run:\d+ -->\n## .*Invalid/)
  })

  test('is left alone if a later run of this workflow has measured the same branch', async () => {
    api.runs.set(runId + 1, ours)
    api.runs.set(900_001, { ...ours })
    const { comments, log } = await reported(misfit(), { from: OWN, pulls: await withComment(900_001) })
    assert.deepEqual(comments, [forged(900_001)], log)
    assert.match(log, /comment: newer-exists/)
  })
})

describe('the reader of an artifact', () => {
  const csv = samples()
  const hostile: [string, () => Record<string, Uint8Array>, RegExp][] = [
    ['without samples', () => ({ 'other.txt': strToU8('x') }), /has no samples\.csv/],
    ['with a path outside', () => ({ '../../samples.csv': strToU8(csv), '/etc/samples.csv': strToU8('x') }), /has no samples\.csv/],
    ['with a script for a name', () => data(csv.replaceAll(',fibonacci,', ',<script>alert(1)</script>,')), /column workload: found/],
    ['with a mention for a job', () => data(csv.replaceAll('\n1,', '\n@everyone,')), /column job: found/],
    ['with modes that were not asked for', () => data(csv.replaceAll(',fibers,', ',swoole,')), /found "swoole", allowed: fpm, fibers/],
    [
      'that is bigger than any job',
      () => ({ 'samples.csv': new Uint8Array(2 ** 24 + 1) }),
      /samples\.csv declares 16777217 bytes, at most 16777216 are read/,
    ],
    ['that is no text', () => ({ ...data(), 'samples.csv': new Uint8Array(5000).fill(255) }), /samples\.csv/],
    ['without a run.json', () => ({ 'samples.csv': strToU8(csv) }), /run\.json of artifact 1: missing/],
    [
      'with text in its run.json',
      () => data(csv, runJson({ job: '<img src=x onerror=alert(1)> @everyone' })),
      /run\.json of artifact 1: not what measure writes/,
    ],
  ]
  for (const [name, files, message] of hostile) {
    test(`${name} is invalid, reported, and harmless`, async () => {
      const done = await reported(files())
      isRefused(done, message)
      const outside = (done.comments[0] ?? '').replace(/~~~text[\s\S]*~~~/, '')
      assert.doesNotMatch(outside, /<script>|@everyone|onerror/)
      assert.ok(!existsSync(join(done.temp, 'samples.csv')))
    })
  }
})

describe('a name or number from a stranger', () => {
  test('does not choose the job, whatever its artifacts are called', async () => {
    for (const job of ['../../etc', 'x\u0085::error::x', '1 ', '__proto__', '']) {
      const done = await reported({}, { jobs: { [job]: data() } })
      isRefused(done, /run\.json of job 1: job: found 1, expected/)
      assert.doesNotMatch(done.log, /^\s*::error::x/m)
    }
  })
  test('does not choose a pull request, however large it is', async () => {
    for (const [column, text] of [
      ['goodput_rps', '1e309'],
      ['requests', '1e300'],
      ['block', '99999999999999999999'],
      ['cpu_us_per_request', '0x10'],
    ] as const) {
      const csv = samples((row) => [row[at('revision')] === 'head' ? replaced(row, column, text) : row])
      const done = await reported(data(csv), { from: OWN })
      assert.deepEqual([done.checks[0]?.conclusion, done.code], ['failure', 1], `${column} ${text}: ${done.log}`)
    }
    isRefused(await reported(data(samples(), runJson({ plan: { blocks: 1e300, runs: 1e300, cells: [] }, looks: 1e9 }))), /run\.json/)
  })
  test('does not choose branch or event', async () => {
    const run = { id: runId + 1, event: 'pull_request', head_sha: head, head_branch: 'topic', head_repository: OWN, pull_requests: [] }
    for (const [odd, ends] of [
      [{ head_branch: null }, /No open pull request has the head/],
      [{ head_branch: 'topic&state=closed' }, /No open pull request has the head/],
      [{ head_sha: `${head}\n` }, /names no run and no commit/],
      [{ id: '1/../2' }, /names no run and no commit/],
    ] as const) {
      const { log, checks } = await reported(misfit(), { from: OWN, payload: { workflow_run: { ...run, id: runId + 1, ...odd } } })
      assert.match(log, ends)
      assert.deepEqual(checks, [])
    }
  })
})

describe('an archive that would fill the machine', () => {
  const bomb = Buffer.alloc(2 ** 24)
  const name = 'samples.csv'
  for (const [what, zip, message] of [
    [
      'with 40 entries of one name over one stream',
      () => archive(Array.from({ length: 40 }, (_, i) => ({ name, data: bomb, ...(i ? { isGhost: true, says: { offset: 0 } } : {}) }))),
      /samples\.csv occurs twice/,
    ],
    [
      'with two of one name',
      () => archive([0, 1].map((i) => ({ name, data: bomb, ...(i ? { isGhost: true, says: { offset: 0 } } : {}) }))),
      /samples\.csv occurs twice/,
    ],
    ['that holds more than it says', () => archive([{ name, data: bomb, says: { size: 10 } }]), /holds more than the declared 10 bytes/],
  ] as const) {
    test(`${what} is refused at once`, async () => {
      const done = await reported({}, { jobs: { '1': zip() } })
      isRefused(done, message)
    })
  }
  test('in a hundred artifacts is refused by their number', async () => {
    const zip = archive([{ name, data: bomb }])
    const done = await reported({}, { jobs: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [String(i), zip])) })
    isRefused(done, /artifacts/)
  })
})

describe('names of a pull request', () => {
  test('stand in code spans in the comment and are no link, reference or mention', async () => {
    const [workload, load] = ['www.evil.example', 'gh-1']
    const csv = samples((row) => [replaced(replaced(row, 'workload', workload), 'load', load)])
    const config = CONFIG.replace('[fibonacci]', `[{ name: ${workload}, path: / }]`).replace('high:', `${load}:`)
    const { comments, log } = await reported(data(csv), { from: OWN, config })
    const body = comments[0] ?? ''
    assert.match(body, /`www\.evil\.example/, log)
    const outside = body.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '')
    assert.doesNotMatch(outside, /www\.evil|gh-1/)
  })
})

describe('the compared commits', () => {
  const wrong: [string, () => Promise<object> | object, RegExp][] = [
    ['base and head the same', () => ({ head: merge, base: merge }), /base and head are both/],
    [
      'the head of another pull request',
      () => ({ head: side, base: old }),
      /commits\.head: found \w+ with the parents .*; expected the head of/,
    ],
    ['a commit that is nowhere', () => ({ head: 'f'.repeat(40), base }), /commits\.head: found f+, which GitHub does not know/],
    [
      'a merge of another head',
      async () => ({ head: await api.commit('m', [base, side]), base }),
      /expected the head of pull request #\d+/,
    ],
    ['a merge the wrong way round', async () => ({ head: await api.commit('m', [head, base]), base }), /expected the head of pull request/],
    [
      'a merge into another branch',
      async () => ({ head: await api.commit('m', [side, head]), base: side }),
      /whose first parent \w+ is not on main/,
    ],
    [
      'another base than the merge has',
      () => ({ head: merge, base: old }),
      /commits\.base: found \w+, expected the first parent of the merge/,
    ],
    ['a base of another branch', () => ({ head, base: side }), /commits\.base: found \w+, expected the tip of main at the time of the run/],
    ['no base, where there is one', () => ({ head: merge, base: null }), /commits\.base: found none, expected a commit of main/],
  ]
  for (const [name, commits, message] of wrong) {
    test(`${name}: invalid`, async () => {
      isRefused(await reported(data(samples(), runJson({ commits: await commits() })), { from: OWN }), message)
    })
  }

  test('a base from before the head left main, where the app was still slow: invalid, with a merge of its own and without', async () => {
    const fresh = await api.commit('head that is up to date', [base])
    const forged = await api.commit('merge into the past', [old, fresh])
    for (const [measured, against, message] of [
      [fresh, old, /commits\.base: found \w+, which is older than \w+, where the head of pull request #\d+ left main/],
      [forged, old, /commits\.base: found \w+, which is older than \w+, where the head of pull request #\d+ left main/],
      [fresh, base, MISFIT],
    ] as const) {
      const pulls = [await newPull(OWN, 'main', { head: { sha: fresh, ref: 'topic', label: 'gate-bot:topic', repo: OWN } })]
      const run = { event: 'pull_request', head_sha: fresh, head_branch: 'topic', head_repository: OWN, pull_requests: [] }
      const payload = { workflow_run: { id: runId + 1, ...run } }
      isRefused(await reported(misfit({ commits: { head: measured, base: against } }), { from: OWN, pulls, payload }), message)
    }
  })

  test('an API that does not answer proves nothing', async () => {
    api.faults = [{ method: 'GET', path: /\/compare\//, status: 403, times: 1 }]
    isRefused(await reported(data(), { from: OWN }), /on purpose/)
    api.faults = []
  })

  test('all jobs must have compared the same commits', async () => {
    const second = data(
      samples((row) => [replaced(row, 'job', '2')]),
      runJson({ job: '2', commits: { head, base: old } }),
    )
    isRefused(await reported({}, { jobs: { '1': data(), '2': second } }), /commits: found base .* in job 1, base .* in job 2/)
    const renamed = data(samples(), runJson({ job: '2' }))
    isRefused(await reported({}, { jobs: { '1': renamed } }), /job: found 2, expected 1 by the name of its artifact/)
  })

  test('two pull requests with the same head: each gets its own verdict, and the check is not green for the other', async () => {
    const pulls = [await newPull(OWN, 'release'), await newPull(OWN)]
    const done = await reported(data(), { from: OWN, pulls })
    const [release, main] = await Promise.all(pulls.map(commentsOn))
    assert.deepEqual([release?.length, main?.length], [0, 1], done.log)
    assert.deepEqual([done.checks[0]?.conclusion, done.checks.length], ['action_required', 1])
    assert.match(done.checks[0]?.output.title ?? '', new RegExp(`^pass; not for #${pulls[0]?.number}, with the same head and another base`))
  })

  test('two pull requests that may both have been measured: none gets the verdict, unless GitHub names the merge', async () => {
    await api.commit('release has base', [base, side], { branch: 'later' })
    const pulls = [await newPull(OWN, 'later'), await newPull(OWN)]
    const done = await reported(data(), { from: OWN, pulls })
    assert.deepEqual([done.comments, done.checks[0]?.conclusion], [[], 'failure'], done.log)
    assert.match(done.checks[0]?.output.title ?? '', /they match the pull requests #\d+ \(into later\) and #\d+ \(into main\)/)
    const named = [await newPull(OWN, 'later'), await newPull(OWN, 'main', { merge_commit_sha: merge })]
    await reported(misfit(), { from: OWN, pulls: named })
    assert.deepEqual(
      (await Promise.all(named.map(commentsOn))).map(({ length }) => length),
      [0, 1],
    )
  })

  for (const [event, from, title] of [
    ['push', OWN, /^pass; not for #\d+, with the same head and another base/],
    ['workflow_dispatch', OWN, /^pass; not for #\d+, with the same head and another base/],
    ['pull_request_review', FORK, /^pass; not verified: /],
    ['push', null, /^pass; not verified: /],
  ] as const) {
    test(`a run of ${event} that head's workflow adds${from ? ` in ${from.full_name}` : ', of a repository that is gone'}, with a base of its choice, is not green`, async () => {
      const done = await reported(data(samples(), runJson({ commits: { head, base: old } })), {
        pulls: [await newPull(from ?? FORK)],
        payload: { workflow_run: { id: runId + 1, event, head_sha: head, head_branch: 'topic', head_repository: from, pull_requests: [] } },
      })
      assert.deepEqual([done.checks[0]?.conclusion, done.checks.length, done.comments], ['action_required', 1, []], done.log)
      assert.match(done.checks[0]?.output.title ?? '', title)
    })
  }

  test('of a push the commits are those of the push', async () => {
    const github = { EVENT_NAME: 'push', SHA: base }
    const setting: Setting = { from: OWN, pulls: [], github, payload: { before: old } }
    const done = await reported(misfit({ commits: { head: base, base: old } }), setting)
    assert.match(done.log, MISFIT)
    assert.equal(done.checks[0]?.head_sha, base)
    const lied = await reported(data(samples(), runJson({ commits: { head, base: old } })), setting)
    assert.match(lied.log, /commits\.head: found \w+, expected the commit of the event/)
    const strange = await reported(data(samples(), runJson({ commits: { head: base, base: side } })), setting)
    assert.match(strange.log, /commits\.base: found \w+, expected \w+ or an ancestor of/)
  })
})

describe('how much was measured', () => {
  /** Artifacts of so many jobs, from the same recording. */
  const jobsOf = (count: number, change: (row: Row, job: number) => Row[]): Setting['jobs'] =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => i + 1).map((job) => [
        String(job),
        data(
          samples((row) => change(row, job).map((made) => replaced(made, 'job', String(job)))),
          runJson({ job: String(job) }),
        ),
      ]),
    )
  const scaledBy = (row: Row, factor: number): Row => {
    const scaled = (column: (typeof COLUMNS)[number], by: number): string => String(Number(row[at(column)]) * by)
    return replaced(replaced(row, 'goodput_rps', scaled('goodput_rps', factor)), 'duration_s', scaled('duration_s', 1 / factor))
  }
  /** Other latencies. */
  const jittered = (row: Row, by = 1): Row => replaced(row, 'max_ms', String(Number(row[at('max_ms')]) + by / 1e5))
  const asInvoice = (row: Row): Row => replaced(row, 'workload', 'invoice')

  for (const [name, more, message] of [
    ['modes', { modes: ['fibers', 'fpm'] }, /modes: found fibers, fpm, expected fpm, fibers/],
    ['connections', { connections: 1 }, MISFIT],
    ['instances', { instances: 'shared' }, /instances: found shared, expected pool/],
  ] as const) {
    test(`under other ${name}: invalid`, async () => {
      isRefused(await reported(data(samples(), runJson(more)), { from: OWN }), message)
    })
  }

  test('cells that dilute a loss: invalid, and no other result remains', async () => {
    const done = await reported(data(samples((row) => [...slower(row), asInvoice(row)])), { from: OWN })
    isRefused(done, /found the cell invoice\/high for base and head, expected fibonacci\/high/)
    assert.ok(!existsSync(join(done.temp, 'async-php-bench-results', 'analysis.json')))
  })

  test('blocks that won, copied under numbers of their own: invalid', async () => {
    const copied = samples((row) => [row, replaced(row, 'block', String(Number(row[at('block')]) + 20))])
    isRefused(await reported(data(copied), { from: OWN }), /found block \d+, a job has 20 at most/)
  })

  const copies: [string, () => Setting['jobs']][] = [
    ['one job under five names', () => jobsOf(5, (row) => [row])],
    [
      'the blocks of one job in another order in the next',
      () => jobsOf(2, (row, n) => [replaced(row, 'block', String(n === 1 ? row[at('block')] : 11 - Number(row[at('block')])))]),
    ],
    [
      'blocks under free numbers of the same job',
      () => jobsOf(1, (row) => [row, replaced(row, 'block', String(Number(row[at('block')]) + 10))]),
    ],
    [
      'the runs of base as those of head',
      () => {
        const ofBase = new Map(
          recorded
            .map((line) => line.split(','))
            .map((row) => [['block', 'revision', 'mode'].map((c) => row[at(c as 'block')]).join(), row]),
        )
        return jobsOf(1, (row) => {
          if (row[at('revision')] === 'base') return [row]
          const copied = ofBase.get([row[at('block')], 'base', row[at('mode')]].join()) as Row
          return [replaced(replaced(copied, 'revision', 'head'), 'position', row[at('position')] as string)]
        })
      },
    ],
    ['rates that were changed a little, beside the same latencies', () => jobsOf(8, (row, n) => [scaledBy(row, 1 + n / 1000)])],
  ]
  test('rows behind a carriage return, which R takes for the end of a line: read, and refused', async () => {
    const csv = samples((row) => [row, replaced(jittered(row), 'block', String(Number(row[at('block')]) + 20))])
    const [first = '', ...rows] = csv.trimEnd().split('\n')
    const hidden = rows.map((line, i) => (i === 0 || Number(line.split(',')[at('block')]) > 20 ? line : `\n${line}`)).join('\r')
    isRefused(
      await reported(data(`${first}\n${hidden.replaceAll('\r\n', '\n')}\n`), { from: OWN }),
      /found block \d+, a job has 20 at most/,
    )
  })

  for (const [name, jobs] of copies) {
    test(`${name}: invalid`, async () => {
      isRefused(
        await reported({}, { from: OWN, jobs: jobs() as NonNullable<Setting['jobs']> }),
        /found the numbers of job 1, block \d+, .* to the last digit/,
      )
    })
  }

  test("a fork's invented numbers in many jobs look like measured ones, but its check is not green", async () => {
    const done = await reported(
      {},
      { jobs: jobsOf(8, (row, n) => [jittered(scaledBy(row, 1 + n / 1000), n)]) as NonNullable<Setting['jobs']> },
    )
    assert.match(done.comments[0] ?? done.log, /Pass/)
    assert.deepEqual([done.checks[0]?.conclusion, done.checks.length], ['action_required', 1])
    assert.match(done.checks[0]?.output.title ?? '', /^pass; not verified: /)
  })

  test('cells and blocks that are missing are named in title and comment, and the check is no success', async () => {
    const rows = samples((row) => (row[at('revision')] === 'head' ? [row, asInvoice(jittered(row))] : [row]), 8)
    const done = await reported(data(rows), { from: OWN, config: CONFIG.replace('fibonacci', 'fibonacci, invoice') })
    assert.match(
      done.checks[0]?.output.title ?? done.log,
      /^\w+: 1 of 2 cells gated; not measured for base and head in every mode: invoice\/high\./,
    )
    assert.match(done.comments[0] ?? '', /run:\d+ -->\n> \*\*1 of 2 cells gated[^\n]*\n>\n> \*\*8 of 10 planned blocks are complete\.\*\*/)
    assert.equal(done.checks[0]?.conclusion, 'neutral')
  })
})

describe('a regression of another run', () => {
  test('is accepted by a label added after its publication, each time it is measured again', async () => {
    api.permissions.set('somebody', 'write')
    const pulls = [await newPull(OWN)]
    const path = `/repos/gate-bot/app/issues/${pulls[0]?.number}/labels`
    const label = { labels: ['slower is fine'] }
    const lost = data(samples(slower))

    await api.call('POST', path, label)
    const early = await reported(lost, { from: OWN, pulls })
    assert.deepEqual([early.code, early.checks[0]?.conclusion], [1, 'failure'], 'nobody had seen it when the label was put on')
    assert.match(early.comments[0] ?? '', /Regressed/)
    assert.match(early.log, /accepts nothing: it was not added after a regression of/)
    assert.match(early.comments[0] ?? '', new RegExp(`\\n<!-- head:${head} verdict:regressed -->\\n$`))

    await api.call('DELETE', `${path}/slower%20is%20fine`)
    await api.call('POST', path, label)
    const byAuthor = pulls.map((pull) => ({ ...pull, user: { login: 'somebody' } }))
    for (const [time, setting] of [
      ['measured again', { pulls }],
      ['once more, and by its author', { pulls: byAuthor, config: `${CONFIG}accept-author: true\n` }],
    ] as const) {
      const done = await reported(lost, { from: OWN, ...setting })
      assert.deepEqual([done.code, done.checks[0]?.conclusion], [0, 'success'], `${time}: ${done.log}`)
      assert.match(
        done.comments[0] ?? '',
        /^<!-- .* -->\n> The regression was accepted by `somebody`[\s\S]*verdict:regressed regressed:\d{4}-/,
      )
      const file = readFileSync(join(done.temp, 'async-php-bench-results', 'summary.md'), 'utf8')
      assert.match(file, /^> The regression was accepted by `somebody`/)
      assert.equal(done.summary, file, 'the job summary')
      assert.equal(done.checks[0]?.output.summary, file, 'the check')
      const [first = '', ...rest] = (done.comments[0] ?? '').split('\n')
      const [text] = rest.join('\n').split(/\n\[Report and raw data\]/)
      assert.match(first, /^<!-- async-php-bench:default run:/)
      assert.equal(text, file, 'the comment')
    }
  })
})
