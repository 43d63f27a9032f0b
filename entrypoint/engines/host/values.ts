/** The values of a runtime's placeholders on this machine. */
import { join } from 'node:path'
import type { Runtime } from '../../config/runtimes.ts'
import type { Tools } from '../../provision/provision.ts'
import type { CpuSets } from '../../system/machine.ts'
import { placeholders } from '../shared/placeholders.ts'
import type { Values } from '../shared/template.ts'

export interface HostPlacement {
  /** Requests in flight that the mode may serve. */
  connections: number
  /** Whether the app preloads its own file. */
  preloads: boolean
  /** An option of php, or ''. Front scripts need it outside a web server. */
  frontFunctions: string
  /** The server's environment, which names the front script. */
  environment: Record<string, string>
  cpus: Pick<CpuSets, 'appCpus'>
  /** A file with the classes of php/src, to preload. */
  classes: string
  tools: Pick<Tools, 'binaries'>
}

/** @param start the server's own directory, address and port */
export function valuesOnHost(
  runtime: Pick<Runtime, 'directory' | 'needs'>,
  start: { directory: string; address: string; port: number },
  { connections, preloads, frontFunctions, environment, cpus, classes, tools }: HostPlacement,
): Values {
  return placeholders(runtime, {
    ...start,
    log: join(start.directory, 'php-fpm.log'),
    runtime: runtime.directory,
    front: environment.APB_FRONT ?? '',
    frontFunctions,
    connections,
    cpus: cpus.appCpus,
    classes: preloads ? '' : classes,
    isRoot: process.getuid?.() === 0,
    binary: (name) => tools.binaries[name],
  })
}
