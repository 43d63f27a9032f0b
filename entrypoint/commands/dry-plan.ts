/** `plan --dry`: shows what a run would do, from the configuration and a look at this machine. */

import { seconds } from '../config/durations.ts'
import type { Inputs } from '../config/inputs.ts'
import { chooseEngine } from '../engines/choose.ts'
import { refuseHostOnly } from '../engines/docker/host-only.ts'
import { composerCommand } from '../engines/shared/composer.ts'
import { cellName } from '../plan/blocks.ts'
import { refuseImpossibleBudget } from '../plan/budget.ts'
import { chooseCounting } from '../plan/counting.ts'
import { outline } from '../plan/outline.ts'
import type { Plan } from '../plan/plan.ts'
import { makePlan } from '../plan/plan.ts'
import { isJudged } from '../plan/plan-job.ts'
import { FASTEST } from '../plan/timing.ts'
import { refuseUncountable, workPlan } from '../plan/work.ts'
import { appNeeds } from '../provision/app-needs.ts'
import type { Finding } from '../provision/finding.ts'
import type { Scope } from '../provision/needs.ts'
import { survey } from '../provision/provision.ts'
import { scopeOf } from '../provision/scope.ts'
import { type Known, knownComparison } from '../revisions/known.ts'
import { messageOf } from '../system/errors.ts'
import { allowedCpus } from '../system/machine.ts'
import { allOf } from '../system/settle-all.ts'
import { print, say } from './terminal.ts'

/** @throws InputError for wrong input, and for a budget that cannot hold the blocks even at the shortest timings */
export async function dryPlan(inputs: Inputs): Promise<number> {
  const known = await knownComparison(inputs)
  refuseImpossibleBudget(known)
  refuseUncountable(known, inputs.study)
  const shortest = shortestPlan(inputs, known)
  const { engine, sentence } = await engineFor(inputs)
  if (engine === 'docker') refuseHostOnly(known)
  const findings = await lookedUp(scopeOf(known.rules, known.modes, [inputs.workspace], engine))
  const composer = composerCommand(inputs.workspace)
  print(outline({ seed: inputs.seed, known, engine: sentence, findings, composer, shortest }))
  return 0
}

/** Without a pilot every cell has the shortest timings, as if it answered at once. */
function shortestPlan({ seed, job, study }: Inputs, { modes, gated, reported, rules, placeOf, base, ungated }: Known): Plan {
  const newInHead = new Set(ungated.flatMap(({ workload, why }) => (why === 'new' ? [workload] : [])))
  const quick = rules.profile === 'quick'
  const budgetS = seconds(rules.budget)
  const hasBase = base !== undefined
  if (rules.profile === 'work') {
    // Valgrind takes longer than perf, so it gives the time.
    const counting = chooseCounting({ rules, modes, hasBase, counters: ['valgrind', 'perf'] })
    return workPlan({ modes, gated, newInHead, hasBase, seed, job }, counting, allowedCpus().length)
  }
  return makePlan(
    {
      modes,
      gated,
      reported,
      newInHead,
      hasBase,
      isJudged: isJudged({ rules, modes, hasBase, study }),
      quick,
      budgetS,
      budgetPlace: placeOf('budget'),
      blocks: rules.blocks,
      countingS: 0,
      seed,
      job,
    },
    new Map([...gated, ...reported].map((cell) => [cellName(cell), FASTEST])),
  )
}

async function engineFor({ config }: Inputs): Promise<{ engine: Scope['engine']; sentence: string }> {
  try {
    const { engine } = await chooseEngine(config, config, say)
    const { dockerfile, image, base } = config.docker
    const from = dockerfile ? `built from ${dockerfile}` : image ? `of the image ${image}` : `of an image built from ${base}`
    return { engine, sentence: engine === 'docker' ? `docker, one image for each revision, ${from}` : "host, with this machine's own PHP" }
  } catch (error) {
    // No daemon answers, so a run would stop here. The other findings are useful, too.
    return { engine: 'docker', sentence: `docker, but a run would stop: ${messageOf(error)}` }
  }
}

/** Composer and R take the longest. They do not depend on each other. */
async function lookedUp(scope: Scope): Promise<Finding[]> {
  const [{ findings, extensionFiles }, ofApp] = await allOf([survey(scope), appNeeds(scope, [])])
  return [...findings, ...(extensionFiles.length > 0 ? await appNeeds(scope, extensionFiles) : ofApp)]
}
