/** Provisions the tools, and makes an engine that can serve every arm. */
import type { Inputs } from '../config/inputs.ts'
import { provision, type Tools } from '../provision/provision.ts'
import { scopeOf } from '../provision/scope.ts'
import type { Settled } from '../revisions/settle.ts'
import type { Job } from '../system/job.ts'
import { chooseEngine } from './choose.ts'
import type { Engine } from './engine.ts'
import { makeEngine } from './make.ts'

export interface Bench {
  inputs: Inputs
  settled: Settled
  tools: Tools
  engine: Engine
  /** The result of the search for loads, if the study began with one. */
  searched?: { file: string; best: Best[] }
}

/** The load at which a mode had its highest goodput without a failed request. */
export interface Best {
  workload: string
  mode: string
  concurrency: number
}

/** @throws MeasurementError if something is missing or does not install */
export async function setUp(settled: Settled, inputs: Inputs, job: Job): Promise<Bench> {
  const { rules, modes, served, revisions } = settled
  const choice = await chooseEngine(rules, served.base ?? served.head, job.say)
  const { head, base } = revisions
  const checkouts = { head, ...(base ? { base } : {}) }
  const directories = Object.values(checkouts).map(({ directory }) => directory)
  const tools = await provision(scopeOf(rules, modes, directories, choice.engine), {
    yes: inputs.yes,
    say: job.say,
    cache: job.cache,
    signal: job.signal,
  })
  for (const mode of modes) if (mode.via === 'runtime' && mode.runtime.experimental) job.say(`warning: ${mode.runtime.limits[0]}`)
  const engine = makeEngine(choice, { rules, served, checkouts, tools, directory: job.directory, say: job.say, cache: job.cache })
  job.atEnd(() => engine.close())
  await engine.prepare()
  return { inputs, settled, tools, engine }
}
