/** The Action. The only place, besides cli.ts, that ends the process. */
import * as core from '@actions/core'
import { messageOf } from './errors.ts'
import { gate } from './gate.ts'
import { readInputs } from './inputs.ts'
import { withJob } from './job.ts'
import { failsJob, invalidOutcome, type Outcome } from './outcome.ts'
import { eventPayload, publish } from './publish/github.ts'

async function main(): Promise<void> {
  const token = core.getInput('github-token')
  if (token) core.setSecret(token)
  const workspace = process.env.GITHUB_WORKSPACE ?? process.cwd()
  const inputs = readInputs(
    { get: (key) => core.getInput(key) },
    { workspace, out: `${process.env.RUNNER_TEMP ?? '/tmp'}/async-php-bench-results`, yes: true, token },
  )
  const payload = eventPayload()
  const event = { name: process.env.GITHUB_EVENT_NAME ?? '', ref: process.env.GITHUB_REF ?? '', payload }
  const outcome = await withJob<Outcome>(
    (line) => core.info(line),
    (job) =>
      gate(inputs, event, job).then(
        (done) => done as Outcome,
        (error) => invalidOutcome(messageOf(error)),
      ),
  )
  await publish(outcome, inputs.out, { token, commentKey: inputs.config['comment-key'], payload })
  if (failsJob(outcome, inputs.config['on-inconclusive'])) core.setFailed(`${outcome.verdict}: ${outcome.reasons.join(' ')}`)
}

main().then(
  () => process.exit(),
  (error) => {
    core.setFailed(messageOf(error))
    process.exit(1)
  },
)
