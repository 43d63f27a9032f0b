/** Runs `report` on artifacts of another run, against an emulated GitHub, and returns everything that it published. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, beforeEach } from 'node:test'
import { zipSync } from 'fflate'
import { artifactName } from '../../../../publish/artifacts.ts'
import { type GitHubApi, startGitHub, TOKEN } from '../../github-api.ts'
import { temporary } from '../../harness.ts'
import { runStep } from '../../runner.ts'
import { artifactOf, runJson, samples } from '../recorded.ts'

export const FORK = { full_name: 'stranger/app', owner: { login: 'stranger' } }
export const OWN = { full_name: 'gate-bot/app', owner: { login: 'gate-bot' } }
export const CONFIG = 'modes: [fpm, fibers]\nworkloads: [fibonacci]\nloads: { high: { concurrency: 32 } }\naccept-label: slower is fine\n'

export type Files = Record<string, Uint8Array>

/** Commits of the emulated repository: main goes from old to base. Head is the pull request's, and merge is measured. */
interface Commits {
  old: string
  base: string
  head: string
  merge: string
  /** The tip of another branch, `release`. */
  side: string
}

export interface Pull {
  number: number
}

export interface Setting {
  from?: typeof FORK
  /** The open pull requests. By default one of `from` into main. */
  pulls?: Pull[]
  config?: string
  github?: Record<string, string>
  /** The event. By default the measuring run of a pull request has ended. */
  payload?: object
  /** Artifacts by job: files, or the archive itself. */
  jobs?: Record<string, Files | Uint8Array>
  /** The comment key of the measuring jobs. */
  key?: string
}

export interface Reported {
  /** The id of the measuring run. */
  run: number
  code: number
  log: string
  checks: { conclusion: string; head_sha: string; output: { title: string; summary: string } }[]
  comments: string[]
  /** The job's summary. */
  summary: string
  temp: string
}

export interface Reporting {
  api: GitHubApi
  commits: Commits
  /** The id that the next measuring run will have. */
  nextRun(): number
  newPull(from?: typeof FORK, into?: string, more?: object): Promise<Pull>
  commentsOn(pull: Pull): Promise<string[]>
  /** The artifact of a job that measured the merge. */
  data(csv?: string, more?: object): Files
  /** An artifact that is refused after its commits are checked and before R runs, because its connections are wrong. */
  misfit(more?: object): Files
  /** The event of a measuring run that has ended. */
  ended(more?: object): object
  report(files: Files, setting?: Setting): Promise<Reported>
}

/** The message about a `misfit` artifact. */
export const MISFIT = /connections: found 1, expected 16/

/** Starts the emulated GitHub for a test file, which also ends it. */
export async function startReporting(): Promise<Reporting> {
  const api = await startGitHub()
  after(() => api.close())
  beforeEach(() => api.branches.clear())
  const commits = await commitsIn(api)
  const { head, base, merge } = commits
  let run = 1000

  const commentsOn = async ({ number }: Pull): Promise<string[]> =>
    ((await api.call('GET', `/repos/gate-bot/app/issues/${number}/comments`)).data as { body: string }[]).map(({ body }) => body)
  const newPull: Reporting['newPull'] = async (from = FORK, into = 'main', more = {}) => {
    const { data: issue } = await api.call('POST', '/repos/gate-bot/app/issues', { title: 'a pull request' })
    return {
      number: (issue as Pull).number,
      ...{ state: 'open', head: { sha: head, ref: 'topic', label: `${from.owner.login}:topic`, repo: from }, base: { ref: into } },
      ...{ user: { login: 'author' }, labels: [], merge_commit_sha: null, ...more },
    }
  }
  const data: Reporting['data'] = (csv = samples(), more = {}) => artifactOf(csv, runJson({ head: merge, base }, more))
  const ended: Reporting['ended'] = (more = {}) => ({
    workflow_run: { id: run + 1, event: 'pull_request', head_sha: head, head_branch: 'topic', pull_requests: [], ...more },
  })

  const report: Reporting['report'] = async (files, setting = {}) => {
    const { from = FORK, key = 'default', config = CONFIG, payload = ended({ head_repository: from }) } = setting
    run++
    const artifacts = Object.entries(setting.jobs ?? { '1': files }).map(([job, content]) => ({
      name: artifactName(key, job),
      zip: content instanceof Uint8Array ? content : zipSync(content),
    }))
    api.artifacts.set(run, artifacts)
    const pulls = setting.pulls ?? [await newPull(from)]
    api.pulls = pulls
    const workspace = temporary()
    mkdirSync(join(workspace, '.github'))
    writeFileSync(join(workspace, '.github', 'async-php-bench.yml'), config)
    const before = api.written.length
    const { code, log, summary, temp } = await runStep({
      file: 'report-action',
      workspace,
      inputs: { 'github-token': TOKEN },
      github: { API_URL: api.url, REPOSITORY: 'gate-bot/app', EVENT_NAME: 'workflow_run', RUN_ID: String(run), ...setting.github },
      payload,
    })
    const written = api.written.slice(before)
    const checks = written.filter(({ path }) => path.endsWith('/check-runs')).map(({ body }) => body as Reported['checks'][number])
    const comments = (await Promise.all(pulls.map(commentsOn))).flat()
    return { run, code, log, checks, comments, summary, temp }
  }

  const misfit: Reporting['misfit'] = (more = {}) => data(samples(), { connections: 1, ...more })
  return { api, commits, nextRun: () => run + 1, newPull, commentsOn, data, misfit, ended, report }
}

async function commitsIn(api: GitHubApi): Promise<Commits> {
  const old = await api.headOf('main')
  const files = { 'bench/app.php': '<?php\n', '.github/async-php-bench.yml': CONFIG }
  const base = await api.commit('base', [old], { branch: 'main', files })
  const head = await api.commit('head', [old])
  const side = await api.commit('side', [old], { branch: 'release' })
  const merge = await api.commit('merge', [base, head])
  return { old, base, head, merge, side }
}

/** Asserts that the verdict is invalid, and that a red check and a comment with this message are published. */
export function isRefused({ code, log, checks, comments }: Reported, message: RegExp): void {
  assert.equal(code, 1, log)
  assert.match(comments[0] ?? log, /Invalid/)
  assert.match(comments[0] ?? '', message)
  assert.deepEqual(
    checks.map(({ conclusion }) => conclusion),
    ['failure'],
  )
}
