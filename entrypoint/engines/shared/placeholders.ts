/** The table of placeholders in a runtime's commands and templates, which each engine fills in. Pure. */
import type { Need, Runtime } from '../../config/runtimes.ts'
import { scriptValues } from './entry.ts'
import type { Values } from './template.ts'

/** The paths and numbers with which a server starts. */
export interface Placement {
  /** A directory for one start of the server. */
  directory: string
  /** The file for errors. */
  log: string
  /** The folder of the runtime. */
  runtime: string
  /** The front script, or ''. */
  front: string
  /** An option of php, or '': see frontFunctions(). */
  frontFunctions: string
  /** The address to listen on. */
  address: string
  port: number
  /** Requests in flight that the mode may serve. */
  connections: number
  /** The app's CPUs. */
  cpus: number
  /** A file with our classes for PHP to preload, or '' if the app preloads its own file, because PHP takes only one. */
  classes: string
  /** Whether the server runs as root. PHP-FPM and nginx must be told so. */
  isRoot: boolean
  /** The path of a program that the runtime needs. */
  binary: (name: string) => string | undefined
}

/** Values by name, without braces. `php` and every program, download and file among the runtime's needs have one. */
export function placeholders({ needs }: Pick<Runtime, 'needs'>, placement: Placement): Values {
  const { directory, log, runtime, front, frontFunctions, address, port, connections, cpus, classes, isRoot, binary } = placement
  const programs = ['php', ...needs.flatMap(nameOf)]
  const paths = programs.flatMap((name) => {
    const path = binary(name)
    return path === undefined ? [] : [[name, path]]
  })
  return {
    ...Object.fromEntries(paths),
    dir: directory,
    log,
    runtime,
    ...scriptValues(runtime, front),
    'front-functions': frontFunctions,
    address,
    port: String(port),
    connections: String(connections),
    cpus: String(cpus),
    preload: classes && `-dopcache.preload=${classes}`,
    'root-flag': isRoot ? '--allow-to-run-as-root' : '',
    'preload-user': isRoot ? '-dopcache.preload_user=root' : '',
    'pool-user': isRoot ? 'user = root\ngroup = root' : '',
    'nginx-user': isRoot ? 'user root;' : '',
  }
}

function nameOf(need: Need): string[] {
  if ('binary' in need) return [need.binary]
  if ('download' in need) return [need.download]
  return 'file' in need ? [need.file] : []
}
