/** Makes the engine that choose.ts has chosen. */
import type { Choice } from './choose.ts'
import { DockerEngine } from './docker/engine.ts'
import type { Engine } from './engine.ts'
import { HostEngine, type HostOptions } from './host/engine.ts'

export function makeEngine(choice: Choice, options: HostOptions): Engine {
  return choice.engine === 'docker' ? new DockerEngine({ ...options, daemon: choice.daemon }) : new HostEngine(options)
}
