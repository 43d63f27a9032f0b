/** The chosen engine, with what each needs of a job. */
import type { Config } from '../config.ts'
import type { Tools } from '../provision.ts'
import type { Checkout, Mode, Revision, Workload } from '../types.ts'
import type { Choice } from './choose.ts'
import { DockerEngine } from './docker/engine.ts'
import type { Engine } from './engine.ts'
import { HostEngine } from './host/engine.ts'

export interface EngineOptions {
  config: Config
  checkouts: Partial<Record<Revision, Checkout>>
  modes: Mode[]
  workloads: Workload[]
  tools: Tools
  /** Private directory of the job. */
  directory: string
  /** Progress, a line each. */
  say: (line: string) => void
}

export function makeEngine(choice: Choice, options: EngineOptions): Engine {
  return choice.engine === 'docker' ? new DockerEngine({ ...options, daemon: choice.daemon }) : new HostEngine(options)
}
