/** The pipeline of `report`: event -> subject -> data (untrusted) -> commits -> analysis -> acceptance -> summary, comment, check. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { analyse } from './analyse/analyse.ts'
import { exitCodeOf, invalidOutcome, type Outcome } from './analyse/outcome.ts'
import type { Inputs } from './config/inputs.ts'
import { entryPathOf } from './config/rules.ts'
import type { Config } from './config/schema.ts'
import { provision } from './provision/provision.ts'
import { downloadData, type JobData } from './publish/artifacts.ts'
import { createCheck } from './publish/check.ts'
import { type Client, client, type Repository, repositoryOf } from './publish/client.ts'
import { checkEventCommits, measuredPullRequest } from './publish/commits.ts'
import { refuseCopies } from './publish/copies.ts'
import { checkCounts } from './publish/counts.ts'
import { type Coverage, checkConditions, coverageOf, type JobText, modeNames } from './publish/coverage.ts'
import { attempt, runLink, say } from './publish/github.ts'
import { eventPayload } from './publish/payload.ts'
import { type GitHubPlace, publish } from './publish/publish.ts'
import { branchesAt, othersAt, type PullRequest, type Subject, subjectOf } from './publish/pull-request.ts'
import { checkSchedule, lookOf, missingBlocks } from './publish/schedule.ts'
import { type Commits, merged, type TrustedRun, trusted } from './publish/untrusted.ts'
import { InputError, messageOf } from './system/errors.ts'
import { type Job, withJob } from './system/job.ts'

/** A verdict and its pull request. */
interface Judged {
  outcome: Outcome
  /** Undefined if there is none, or if the measured one is unknown. */
  pull: PullRequest | undefined
  /** Sentences about what the data do not cover. */
  gaps: string[]
}

export async function report(inputs: Inputs): Promise<Outcome> {
  if (!inputs.token) throw new InputError('github-token: report needs one, with actions: read and pull-requests: write')
  const api = client(inputs.token, say)
  const repository = repositoryOf(process.env.GITHUB_REPOSITORY)
  const key = inputs.config['comment-key']
  const subject = await subjectOf(eventPayload(), process.env, api, repository)
  if (subject.pulls?.length === 0) return nothingToJudge(subject, inputs)

  const { outcome: found, pull, gaps } = await judged(inputs, api, repository, subject)
  const { runId, headSha, isFork } = subject
  const github: GitHubPlace = {
    ...{ api, repository, pull, runId, mayWrite: await mayWrite(api, repository, subject) },
    andThen: async (outcome) => {
      await attempt('check', 'checks: write, pull-requests: read', async () => {
        const standing = { isFork, gaps, others: isFork ? [] : await othersAt(api, repository, headSha, pull) }
        await createCheck(api, repository, { key, headSha, outcome, rules: inputs.config, standing, link: runLink(runId) })
      })
    },
  }
  return publish(found, { out: inputs.out, rules: inputs.config, github })
}

/** The outcome for a pull request that has moved on or was closed. Nobody waits for it, and its base is unknown. */
async function nothingToJudge({ headSha }: Subject, { out, config }: Inputs): Promise<Outcome> {
  const reason = `No open pull request has the head ${headSha}: it has moved on or was closed, so nothing is judged or published.`
  say(reason)
  const outcome: Outcome = {
    verdict: 'not-gated',
    reasons: [reason],
    parts: { analysis: `${reason}\n` },
    exitCode: exitCodeOf('not-gated'),
  }
  return publish(outcome, { out, rules: config })
}

/**
 * Whether `report` may write. If the commit is also the head of a branch of ours, that branch's own run judges it, not a stranger's
 * data.
 */
async function mayWrite(api: Client, repository: Repository, { isFork, headSha }: Subject): Promise<boolean> {
  if (!isFork) return true
  try {
    const [branch] = await branchesAt(api, repository, headSha)
    if (branch)
      say(`no comment and no check: ${headSha} is also the head of the branch ${branch} of this repository, whose own run judges it`)
    return !branch
  } catch (error) {
    say(`no comment and no check: whether ${headSha} is also the head of a branch of this repository is unknown: ${messageOf(error)}`)
    return false
  }
}

/** The verdict on the measuring jobs' data. Data that cannot be read or verified are an invalid measurement, which is published, too. */
async function judged(inputs: Inputs, api: Client, repository: Repository, subject: Subject): Promise<Judged> {
  return withJob<Judged>(say, async (job) => {
    let pull = subject.pulls?.length === 1 ? subject.pulls[0] : undefined
    try {
      const data = await downloadData(api, repository, subject.runId, inputs.config['comment-key'], job.directory)
      const jobs = data.map(({ job: name, samples, counts, run: record }, i) => ({
        ...{ job: name, samples: readFileSync(samples, 'utf8'), counts, run: trusted(record, i + 1) },
      }))
      const run = merged(jobs.map((one) => one.run))
      pull = await verified(inputs, api, repository, run.commits, subject)
      checkConditions(jobs, inputs.config)
      checkCounts(data, inputs.config)
      return { pull, ...(await analysed(inputs, job, data, jobs, run)) }
    } catch (error) {
      return { pull, outcome: invalidOutcome(messageOf(error)), gaps: [] }
    }
  })
}

/** @throws MeasurementError if the commits are not those of the event */
async function verified(
  { config, source, workspace }: Inputs,
  api: Client,
  repository: Repository,
  commits: Commits,
  { pulls, headSha, before }: Subject,
): Promise<PullRequest | undefined> {
  const file = relative(process.env.GITHUB_WORKSPACE ?? workspace, source)
  if (pulls) return measuredPullRequest(api, repository, commits, pulls, { baseline: config.baseline, entry: entryPathOf(config), file })
  await checkEventCommits(api, repository, commits, headSha, before)
  return undefined
}

/** Applies the rules of this job's own configuration. Nothing in run.json changes them. */
async function analysed(
  { config, out }: Inputs,
  job: Job,
  data: JobData[],
  jobs: JobText[],
  run: TrustedRun,
): Promise<Omit<Judged, 'pull'>> {
  const { rscript } = await provision(
    { engine: 'none', modes: [], database: { from: 'none' }, report: true, composer: false },
    { yes: true, say: job.say },
  )
  const file = join(job.directory, 'run.json')
  writeFileSync(file, JSON.stringify(run))
  const results = join(job.directory, 'results')
  const request = {
    rscript: rscript as string,
    samples: data.map(({ samples }) => samples),
    out: results,
    run: file,
    modes: modeNames(config),
    gate: config.gate,
    ...lookOf(jobs, config),
  }
  const { cells, gaps: ofCells } = await fitting(jobs, config).catch(async (error) => {
    // R says better what is malformed. Nothing is drawn of data that do not fit.
    await analyse({ ...request, report: false })
    throw error
  })
  const { analysis, summary } = await analyse({ ...request, report: true })
  const gaps = [...ofCells, ...missingBlocks(analysis.blocks, analysis.verdict === 'inconclusive', jobs, config)]
  cpSync(results, out, { recursive: true })
  const { verdict, reasons } = analysis
  const outcome = { verdict, reasons: [...gaps, ...reasons], parts: { gaps, analysis: summary }, exitCode: exitCodeOf(verdict), analysis }
  return { outcome: { ...outcome, coverage: cells }, gaps }
}

/** What the data cover. @throws MeasurementError for data that the configuration cannot produce, and for copies */
async function fitting(jobs: readonly JobText[], config: Config): Promise<Coverage> {
  const coverage = coverageOf(jobs, config)
  checkSchedule(jobs, config)
  refuseCopies(jobs)
  return coverage
}
