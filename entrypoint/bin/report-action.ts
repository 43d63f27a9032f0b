/** The sub-action `report`: judges the data of measuring jobs, with a token. It never runs or checks out code of a pull request. */
import { failsJob } from '../analyse/outcome.ts'
import { report } from '../report-fork.ts'
import { fail, runAction } from './action.ts'

runAction(async (inputs) => {
  const outcome = await report(inputs)
  if (failsJob(outcome, inputs.config)) fail(`${outcome.verdict}: ${outcome.reasons.join(' ')}`)
})
