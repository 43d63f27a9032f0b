/** The pipeline: inputs -> provision -> revisions -> engine -> preflight -> plan -> measure -> analyse. */
import { join } from 'node:path'
import { differencesOf } from './analyse/differences.ts'
import { judge, withSuspects } from './analyse/judge.ts'
import type { Outcome } from './analyse/outcome.ts'
import { gateOfBase } from './config/base-gate.ts'
import { modesOf, workloadsOf } from './config/catalog.ts'
import type { Inputs } from './config/experiment.ts'
import { seconds } from './config/schema.ts'
import { chooseEngine } from './engines/choose.ts'
import { makeEngine } from './engines/make.ts'
import { measure } from './measure/measure.ts'
import { pilot } from './measure/pilot.ts'
import { IDLE_LIMIT_MS } from './measure/run.ts'
import { writeResults } from './measure/run-record.ts'
import { cellsOf, makePlan } from './plan/plan.ts'
import { predict } from './plan/prediction.ts'
import { preflight } from './preflight/preflight.ts'
import { provision } from './provision/provision.ts'
import { scopeOf } from './provision/scope.ts'
import { checkOut, type Event, forgetWorkTrees } from './revisions/revisions.ts'
import { Cancelled } from './system/errors.ts'
import type { Job } from './system/job.ts'

/** How far a verb goes. */
export type Until = 'plan' | 'measure' | 'analyse'

/** @returns undefined where the verb ends before there is a verdict */
export async function gate(inputs: Inputs, event: Event, job: Job, until: Until = 'analyse'): Promise<Outcome | undefined> {
  const { workspace, out, token } = inputs
  const { say, signal } = job
  const modes = modesOf(inputs.config)
  const workloads = workloadsOf(inputs.config)
  const loads = Object.entries(inputs.config.loads).map(([name, { concurrency }]) => ({ name, concurrency }))

  const choice = await chooseEngine(inputs.config, say)
  const tools = await provision(scopeOf(inputs, modes, choice.engine), { yes: inputs.yes, say })

  const revisions = await checkOut({
    workspace,
    baseline: inputs.config.baseline,
    event,
    token,
    directory: job.directory,
    app: inputs.config.app,
    say,
  })
  job.atEnd(() => forgetWorkTrees(revisions, workspace))
  say(
    `head ${revisions.head.label}, ${revisions.base ? `base ${revisions.base.label} (${revisions.base.commit.slice(0, 10)})` : `no base: ${revisions.withoutBase}`}`,
  )
  const { config, warnings } = gateOfBase(inputs, revisions)
  for (const warning of warnings) say(`warning: ${warning}`)

  const checkouts = { head: revisions.head, ...(revisions.base ? { base: revisions.base } : {}) }
  const engine = makeEngine(choice, { config, checkouts, modes, workloads, tools, directory: job.directory, say })
  job.atEnd(() => engine.close())
  await engine.prepare()

  const arms = (revisions.base ? (['base', 'head'] as const) : (['head'] as const)).flatMap((revision) =>
    modes.map((mode) => ({ revision, mode })),
  )
  const checked = await preflight({ engine, arms, workloads, loads, connections: config.connections, signal, say })

  const running = { engine, hey: tools.hey, idleLimitMs: IDLE_LIMIT_MS, signal, say }
  const pilots = await pilot(cellsOf(workloads, loads), modes, running)
  const plan = makePlan(
    {
      modes,
      workloads,
      loads,
      newInHead: checked.newInHead,
      hasBase: revisions.base !== undefined,
      quick: inputs.quick,
      budgetS: seconds(config.budget),
      blocks: config.blocks,
      seed: inputs.seed,
      job: inputs.job,
    },
    pilots,
  )
  for (const line of await predict(plan, modes.length, revisions.base !== undefined, config, tools.rscript)) say(line)
  if (until === 'plan') return undefined

  const record = {
    config,
    study: inputs.study,
    modes,
    plan,
    revisions,
    versions: tools.versions,
    engine: engine.facts(),
    preflight: checked,
    warnings,
  }
  const judged = (report: boolean): Promise<Outcome> =>
    judge({ rscript: tools.rscript as string, out, modes, config, looks: plan.looks, report }).catch((error) => {
      // R was stopped with everything else; that is no failure of the analysis.
      throw signal.aborted ? new Cancelled('The analysis was cancelled.') : error
    })
  const measured = await measure(plan, {
    ...running,
    keep: (soFar) => writeResults(out, record, soFar),
    isDecided: async () => (await judged(false)).verdict !== 'inconclusive',
  })
  say(`${measured.samples.length} runs in ${join(out, 'samples.csv')}`)
  if (until === 'measure') return undefined
  const outcome = { ...(await judged(true)), rules: config, baseLabel: revisions.base?.label }
  return outcome.verdict === 'regressed'
    ? withSuspects(outcome, out, await differencesOf(revisions, checked.servers, config, workspace))
    : outcome
}
