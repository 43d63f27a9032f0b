/** The sub-action `measure`: runs the code of a pull request, so it has no token and gives no verdict. Its artifact goes to `report`. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as core from '@actions/core'
import { measure } from '../gate.ts'
import { COUNTS, RUN, SAMPLES } from '../measure/run-record.ts'
import { matrixOf } from '../plan/matrix.ts'
import { artifactName } from '../publish/artifacts.ts'
import { filesOf } from '../publish/files.ts'
import { say, upload } from '../publish/github.ts'
import { startedBy } from '../publish/payload.ts'
import { settle } from '../revisions/settle.ts'
import { messageOf } from '../system/errors.ts'
import { withJob } from '../system/job.ts'
import { LOGS } from '../system/log-files.ts'
import { actionsCache, fail, runAction, setCacheHit } from './action.ts'

runAction(async (inputs) => {
  const jobs = core.getInput('plan-jobs')
  if (jobs) {
    const { rules } = await withJob(say, (job) => settle(inputs, startedBy(), job))
    core.setOutput('matrix', JSON.stringify(matrixOf(rules, jobs)))
    return
  }
  const cache = actionsCache(inputs)
  const failure = await withJob(say, async (job) => measure(await settle(inputs, startedBy(), job), inputs, job), cache).then(
    () => undefined,
    (error: unknown) => error,
  )
  core.setOutput('results', inputs.out)
  setCacheHit(cache)
  // Samples from before an error are uploaded, too. A failed upload must not hide the error.
  if (failure) fail(messageOf(failure))
  const files = [SAMPLES, COUNTS, RUN].map((name) => join(inputs.out, name)).filter((file) => existsSync(file))
  const logs = filesOf(join(inputs.out, LOGS))
  if (files.length) await upload(artifactName(inputs.config['comment-key'], inputs.job), [...files, ...logs], inputs.out)
})
