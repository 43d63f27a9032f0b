/** Checks for faults of an app that stays in memory, in each mode under test, and adds the findings to the measurement. */
import { join } from 'node:path'
import { seconds } from '../config/durations.ts'
import type { Mode, Revision } from '../config/experiment.ts'
import { CHECKS } from '../config/keys.ts'
import type { Rules } from '../config/rules.ts'
import type { CheckName } from '../config/schema.ts'
import type { Workload } from '../config/workload.ts'
import type { MeasuredJob } from '../measure/run-plan.ts'
import { CHECKED, replace } from '../measure/run-record.ts'
import { Cancelled, messageOf } from '../system/errors.ts'
import type { Job } from '../system/job.ts'
import { blocking } from './blocking.ts'
import { coldStart } from './cold-start.ts'
import type { Check, CheckContext } from './context.ts'
import { type Finding, isBreak, notChecked, owed } from './finding.ts'
import { leak } from './leak.ts'
import { levelsOf } from './levels.ts'
import { ofPreflight } from './of-preflight.ts'
import { pool } from './pool.ts'
import { recycle } from './recycle.ts'
import { reload } from './reload.ts'
import { state } from './state.ts'

const RUN: Record<CheckName, Check> = { leak, state, blocking, 'cold-start': coldStart, reload, recycle, pool }
/** The checks in order, and the share of the remaining time that each one's first look may take. */
const SHARES: [CheckName, number][] = [
  ['cold-start', 0.2],
  ['reload', 0.2],
  ['recycle', 0.2],
  ['state', 0.35],
  ['blocking', 0.35],
  ['pool', 0.4],
  ['leak', 1],
]
/** A share of the budget, in addition to it. */
const OF_BUDGET = 1 / 5
/** The share of the time for first looks. The rest is for second looks, before a break counts. */
const FIRST_LOOK = 0.6

/** @throws Cancelled on a signal; MeasurementError if the database or the daemon is gone */
export async function checkProduction(measured: MeasuredJob, job: Job): Promise<MeasuredJob> {
  const { settled, inputs, checked } = measured
  const levels = levelsOf(settled.rules)
  const modes = checkedModes(settled.modes)
  const wanted = SHARES.filter(([name]) => levels[name] !== 'off')
  if (inputs.study || modes.length === 0 || wanted.length === 0 || hasEnded(measured)) return measured
  const allowedS = seconds(settled.rules.budget) * OF_BUDGET
  const begun = Date.now()
  const revisions: Revision[] = settled.revisions.base ? ['base', 'head'] : ['head']
  const findings: Finding[] = ofPreflight(checked, modes, revisions)
  for (const [i, mode] of modes.entries()) {
    const turn = begun + (allowedS * 1000 * i) / modes.length
    const time = { begun: Math.max(Date.now(), turn), end: begun + (allowedS * 1000 * (i + 1)) / modes.length }
    findings.push(...(await checkMode(measured, { mode, revisions }, wanted, time, job)))
  }
  const tookS = (Date.now() - begun) / 1000
  job.say(`checks: ${tookS.toFixed(0)} s of at most ${allowedS.toFixed(0)} s, a fifth of the budget`)
  for (const finding of findings) if (finding.state === 'broken') job.say(`checks: ${inALine(finding)}`)
  const order = [...CHECKS, 'answers', 'waiting']
  const shown = asked(findings, settled.rules.checks).sort((a, b) => order.indexOf(a.check) - order.indexOf(b.check))
  const content = { schema: 1, seconds: tookS, allowed_s: allowedS, levels, findings: shown }
  replace(join(inputs.out, CHECKED), `${JSON.stringify(content, null, 1)}\n`)
  return measured
}

/** A check that nobody asked for is not owed, so a job can pass without it. Pure. */
export function asked(findings: readonly Finding[], checks: Rules['checks']): Finding[] {
  return findings.map(({ isOwed, ...found }) => {
    const isAuto = found.check in checks && checks[found.check as CheckName] === 'auto'
    return isOwed && !isAuto ? { ...found, isOwed } : found
  })
}

/** The asynchronous modes. If there are none, those that keep the app in memory. Pure. */
export function checkedModes(modes: readonly Mode[]): Mode[] {
  const asynchronous = modes.filter(({ kind }) => kind === 'async')
  return asynchronous.length > 0 ? asynchronous : modes.filter((mode) => mode.via === 'runtime' && mode.runtime.stateful)
}

/** Whether the measurement ended before its first look because head answers with errors. That decides the verdict. */
function hasEnded({ measured, plan }: MeasuredJob): boolean {
  return new Set(measured.samples.map(({ block }) => block)).size < (plan.lookAt[0] as number)
}

interface Pair {
  mode: Mode
  /** Base first, if there is one. */
  revisions: Revision[]
}

async function checkMode(
  measured: MeasuredJob,
  { mode, revisions }: Pair,
  wanted: [CheckName, number][],
  { begun, end }: { begun: number; end: number },
  job: Job,
): Promise<Finding[]> {
  const { engine, tools, settled } = measured
  const context = {
    ...{ engine, hey: tools.hey, rscript: tools.rscript as string, mode, revisions, signal: job.signal },
    routesOf: (revision: Revision) => routesOf(measured, revision),
    connections: settled.rules.connections,
    recycleAfter: settled.rules.checks['recycle-after'],
    concurrency: Math.min(settled.rules.connections, Math.max(...Object.values(settled.rules.loads).map(({ concurrency }) => concurrency))),
  }
  const why =
    mode.via === 'command' ? 'its server is not ours' : context.routesOf('head').length === 0 && 'no workload is a route of the app'
  if (why)
    return wanted.flatMap(([check]) =>
      revisions.map((revision) => ({ check, mode: mode.name, revision, workload: null, route: null, isNew: false, ...notChecked(why) })),
    )
  const findings: Finding[] = []
  for (const [check, share] of wanted) {
    job.say(`checks: ${check} of ${mode.name}`)
    const { first: firstEnd, second: secondEnd } = deadlinesOf(Math.max(begun, Date.now()), end, share)
    const first = await look(check, { ...context, deadline: firstEnd }, job)
    findings.push(...(await confirmed(first, () => look(check, { ...context, deadline: secondEnd }, job))))
  }
  return findings
}

/** Of the time that is left, so that second looks of early checks do not take the first ones of later checks. Pure. */
export function deadlinesOf(now: number, end: number, share: number): { first: number; second: number } {
  const second = now + (end - now) * share
  return { first: now + (second - now) * FIRST_LOOK, second }
}

/** Looks again at each break of head that base does not have. It counts only if it is seen twice. */
export async function confirmed(first: Finding[], lookAgain: () => Promise<Finding[]>): Promise<Finding[]> {
  const breaks = breaksOf(first)
  if (breaks.length === 0) return first
  const second = await lookAgain()
  const again = breaksOf(second)
  return first.map((finding) => {
    if (!breaks.includes(finding)) return finding
    const isSeenAgain = again.some(({ workload }) => workload === finding.workload)
    if (isSeenAgain) return { ...finding, isNew: true }
    // A second look that could not be made does not clear a break.
    const isUnseen = second.some(({ workload, isOwed }) => isOwed && (workload === null || workload === finding.workload))
    const why = `seen once, and not ${isUnseen ? 'looked at ' : ''}again: ${finding.sentence}`
    return { ...finding, ...(isUnseen ? owed(why) : notChecked(why)) }
  })
}

function breaksOf(findings: Finding[]): Finding[] {
  const base = ({ workload }: Finding): Finding | undefined => findings.find((one) => one.revision === 'base' && one.workload === workload)
  const hasBase = findings.some(({ revision }) => revision === 'base')
  const isNew = (finding: Finding): boolean => !(blocksAlready(findings) && base(finding) === undefined) && isBreak(finding, base(finding))
  return hasBase ? findings.filter((finding) => finding.revision === 'head' && isNew(finding)) : []
}

/** Whether routes of base block. Then a new route that blocks is nothing new: in fibers, every route that uses PDO does. */
function blocksAlready(findings: readonly Finding[]): boolean {
  return findings.some(({ check, revision, state: of }) => check === 'blocking' && revision === 'base' && of === 'broken')
}

/** A check that fails does not end the job. It is reported. */
async function look(check: CheckName, context: CheckContext, { signal }: Job): Promise<Finding[]> {
  const named = { check, mode: context.mode.name, isNew: false }
  try {
    return (await RUN[check](context)).map((found) => ({ ...named, ...found }))
  } catch (error) {
    if (signal.aborted) throw new Cancelled('The checks were cancelled.')
    await context.engine.assertAlive()
    const [why] = messageOf(error).split('\n') as [string]
    return context.revisions.map((revision) => ({ ...named, revision, workload: null, route: null, ...owed(why) }))
  }
}

/** The app's routes that the revision answers. Built-in workloads do not run the app's code. */
function routesOf({ settled, newInHead }: MeasuredJob, revision: Revision): Workload[] {
  const { workloads } = settled.served[revision] ?? settled.served.head
  const routes = workloads.filter(({ builtIn, name }) => !builtIn && !(revision === 'base' && newInHead.has(name)))
  return commonFirst(routes, newInHead)
}

/** Puts routes that base has first: if time is short, a pull request's new routes must not displace them. Pure. */
export function commonFirst<T extends { name: string }>(routes: readonly T[], newInHead: ReadonlySet<string>): T[] {
  return [...routes.filter(({ name }) => !newInHead.has(name)), ...routes.filter(({ name }) => newInHead.has(name))]
}

function inALine({ check, mode, revision, route, sentence }: Finding): string {
  return `${check} of ${mode} is broken in ${revision}: ${route ?? ''}: ${sentence}`
}
