/** `comment: on-change | on-alert` and its default, with the built `report` on a pull request that becomes better and worse. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { PACKAGE } from '../../../config/catalog.ts'
import { COLUMNS } from '../../../measure/samples.ts'
import { artifactName } from '../../../publish/artifacts.ts'
import { type GitHubApi, startGitHub, TOKEN } from '../github-api.ts'
import { temporary } from '../harness.ts'
import { runStep } from '../runner.ts'

const OWN = { full_name: 'gate-bot/app', owner: { login: 'gate-bot' } }
const CONFIG = 'modes: [fpm, fibers]\nworkloads: [fibonacci]\nloads: { high: { concurrency: 32 } }\nblocks: 10\n'

let api: GitHubApi
let [base, head] = ['', '']
before(async () => {
  api = await startGitHub()
  base = await api.headOf('main')
  head = await api.commit('head', [base])
})
after(() => api.close())

const at = (column: (typeof COLUMNS)[number]): number => COLUMNS.indexOf(column)
const [header, ...recorded] = gunzipSync(readFileSync(join(PACKAGE, 'r', 'calibration', 'recorded', 'quiet', 'aa.csv.gz')))
  .toString()
  .trim()
  .split('\n') as [string, ...string[]]

/** Ten recorded blocks in which head's asynchronous mode has this share of its rate. */
function samples(share: number): string {
  const lines = recorded
    .map((line) => line.split(','))
    .filter((row) => Number(row[at('block')]) <= 10)
    .map((row) => {
      if (row[at('revision')] !== 'head' || row[at('mode')] !== 'fibers') return row
      const times = (column: (typeof COLUMNS)[number], factor: number): string => String(Number(row[at(column)]) * factor)
      return row
        .with(at('goodput_rps'), times('goodput_rps', share))
        .with(at('duration_s'), times('duration_s', 1 / share))
        .with(at('cpu_us_per_request'), times('cpu_us_per_request', 1 / share))
    })
  return `${[header, ...lines.map((row) => row.join(','))].join('\n')}\n`
}
/** The gain is kept, undecided, and lost. */
const SHARES = { pass: 1, inconclusive: 0.93, regressed: 0.6 }

/** A pull request, and the actions of `report` on it, run after run. */
async function pullRequest(comment: string | undefined) {
  const { data } = await api.call('POST', '/repos/gate-bot/app/issues', { title: 'a pull request' })
  const { number } = data as { number: number }
  const topic = { sha: head, ref: 'topic', label: 'gate-bot:topic', repo: OWN }
  const pull = { number, state: 'open', head: topic, base: { ref: 'main' }, user: { login: 'author' }, labels: [], merge_commit_sha: null }
  const workspace = temporary()
  mkdirSync(join(workspace, '.github'))
  writeFileSync(join(workspace, '.github', 'async-php-bench.yml'), `${CONFIG}${comment ? `comment: ${comment}\n` : ''}`)
  return async (run: number, verdict: keyof typeof SHARES) => {
    const meta = { schema: 1, job: '1', seed: 1, looks: 1, modes: ['fpm', 'fibers'], connections: 16, instances: 'pool' }
    const json = { ...meta, commits: { head, base }, plan: { blocks: 10, runs: 40, cells: [] }, probes_ms: [], runs: [] }
    const files = { 'samples.csv': strToU8(samples(SHARES[verdict])), 'run.json': strToU8(JSON.stringify(json)) }
    api.artifacts.set(run, [{ name: artifactName('default', '1'), zip: zipSync(files) }])
    api.pulls = [pull]
    const before = api.written.length
    const done = await runStep({
      file: 'report-action',
      workspace,
      inputs: { 'github-token': TOKEN },
      github: { API_URL: api.url, REPOSITORY: 'gate-bot/app', EVENT_NAME: 'workflow_run', RUN_ID: String(run) },
      payload: {
        workflow_run: { id: run, event: 'pull_request', head_sha: head, head_branch: 'topic', head_repository: OWN, pull_requests: [] },
      },
    })
    const check = api.written.slice(before).find(({ path }) => path.endsWith('/check-runs'))?.body as { output: { title: string } }
    assert.match(check?.output.title ?? done.log, new RegExp(`^${verdict}: `), 'the check is always set')
    assert.match(done.summary, new RegExp(`^## \\S+ ${verdict}`, 'i'), 'the job summary is always written')
    const { data: comments } = await api.call('GET', `/repos/gate-bot/app/issues/${number}/comments`)
    return { bodies: (comments as { body: string }[]).map(({ body }) => body), log: done.log }
  }
}

describe('a pull request that passes, is inconclusive, regresses and passes again', () => {
  const speaks: [string | undefined, number[]][] = [
    [undefined, [1, 1, 1, 1]],
    ['on-change', [0, 1, 1, 1]],
    ['on-alert', [0, 0, 1, 1]],
  ]
  const verdicts = ['pass', 'inconclusive', 'regressed', 'pass'] as const
  for (const [i, [comment, counts]] of speaks.entries()) {
    test(`has ${counts.join(', ')} comments by ${comment ? `comment: ${comment}` : 'default'}, and the last says that it passes`, async () => {
      const judge = await pullRequest(comment)
      for (const [n, verdict] of verdicts.entries()) {
        const run = 100 * (i + 1) + n
        const { bodies, log } = await judge(run, verdict)
        assert.equal(bodies.length, counts[n], `${verdict}: ${log}`)
        if (counts[n]) assert.match(bodies[0] as string, new RegExp(`run:${run} -->\\n## \\S+ ${verdict}`, 'i'))
        else assert.match(log, /comment: not-needed/)
      }
    })
  }
})
