/** Runs preflight over all arms of an engine. */
import { databaseOf } from '../config/database.ts'
import type { Bench } from '../engines/set-up.ts'
import { HeadFailed } from '../system/errors.ts'
import type { Job } from '../system/job.ts'
import { writeLogs } from '../system/log-files.ts'
import { type PreflightFound, preflight } from './preflight.ts'

export interface CheckedBench extends Bench {
  checked: PreflightFound
}

export async function checkArms(bench: Bench, job: Job): Promise<CheckedBench> {
  const { engine, settled } = bench
  const { modes, served, rules, borrowed, revisions, ungated } = settled
  const checked = await keepingLog(bench.inputs.out, () =>
    preflight({
      engine,
      arms: (revisions.base ? (['base', 'head'] as const) : (['head'] as const)).flatMap((revision) =>
        modes.map((mode) => ({ revision, mode })),
      ),
      workloadsOf: (revision) => (served[revision] ?? served.head).workloads,
      borrowed,
      ungated: new Set(ungated.map(({ workload }) => workload)),
      loads: Object.entries(rules.loads).map(([name, load]) => ({ name, ...load })),
      connections: rules.connections,
      database: databaseOf(rules.database),
      signal: job.signal,
      say: job.say,
    }),
  )
  return { ...bench, checked }
}

/** The log of a head that fails belongs to the results. */
async function keepingLog<T>(out: string, check: () => Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof HeadFailed) writeLogs(out, [{ name: `preflight_${error.arm.replace('/', '_')}`, log: error.failure.log }])
    throw error
  }
}
