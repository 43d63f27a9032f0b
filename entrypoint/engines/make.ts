/** The chosen engine, with what each needs of a job. */

import type { Revision } from '../config/experiment.ts'
import type { Rules, Served } from '../config/rules.ts'
import type { Tools } from '../provision/provision.ts'
import type { Checkout } from '../revisions/work-trees.ts'
import type { Cache } from '../system/cache.ts'
import type { Choice } from './choose.ts'
import { DockerEngine } from './docker/engine.ts'
import type { Engine } from './engine.ts'
import { HostEngine } from './host/engine.ts'

export interface EngineOptions {
  rules: Rules
  /** What each revision serves. */
  served: Partial<Record<Revision, Served>>
  checkouts: Partial<Record<Revision, Checkout>>
  tools: Tools
  /** Private directory of the job. */
  directory: string
  /** Progress, a line each. */
  say: (line: string) => void
  /** Of Actions. */
  cache?: Cache | undefined
}

export function makeEngine(choice: Choice, options: EngineOptions): Engine {
  return choice.engine === 'docker' ? new DockerEngine({ ...options, daemon: choice.daemon }) : new HostEngine(options)
}
