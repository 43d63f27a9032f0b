/** The Action: measures, judges, publishes. */
import { failsJob, type Outcome, thrownOutcome } from '../analyse/outcome.ts'
import type { Inputs } from '../config/inputs.ts'
import { parseConfig } from '../config/parse.ts'
import { type Rules, rulesOf } from '../config/rules.ts'
import { gate } from '../gate.ts'
import { say } from '../publish/github.ts'
import { publishGate } from '../publish/of-gate.ts'
import { startedBy } from '../publish/payload.ts'
import { settle } from '../revisions/settle.ts'
import { type Job, withJob } from '../system/job.ts'
import { actionsCache, fail, runAction, setCacheHit } from './action.ts'

/** The rules that decide whether the job fails. Before base's rules are known they come from the inputs alone, never from head's file. */
interface Judged {
  outcome: Outcome
  rules: Rules
}

runAction(async (inputs) => {
  const cache = actionsCache(inputs)
  const { outcome: measured, rules } = await withJob<Judged>(say, (job) => judge(inputs, job), cache)
  setCacheHit(cache)
  const outcome = await publishGate(measured, rules, inputs)
  if (failsJob(outcome, rules)) fail(`${outcome.verdict}: ${outcome.reasons.join(' ')}`)
})

async function judge(inputs: Inputs, job: Job): Promise<Judged> {
  let rules = rulesOf(parseConfig('', inputs.source, inputs.overrides))
  try {
    const settled = await settle(inputs, startedBy(), job)
    rules = settled.rules
    return { outcome: await gate(settled, inputs, job), rules }
  } catch (error) {
    return { outcome: thrownOutcome(error, job.signal), rules }
  }
}
