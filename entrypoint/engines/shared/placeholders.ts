/** The table of placeholders in a runtime's commands and templates, which each engine fills in. Pure. */
import type { Runtime } from '../../config/runtimes.ts'
import { scriptValues } from './entry.ts'
import type { Values } from './template.ts'

/** Where an engine has put what a server starts from. */
export interface Placement {
  /** Private to one start of the server. */
  directory: string
  /** A file for errors. */
  log: string
  /** The folder of the runtime. */
  runtime: string
  /** The front script, or ''. */
  front: string
  /** An option of php, or '': see frontFunctions(). */
  frontFunctions: string
  /** To listen on. */
  address: string
  port: number
  /** Requests in flight that the mode may serve. */
  connections: number
  /** Of the app. */
  cpus: number
  /** A file with our classes for PHP to preload, or '' if the app preloads a file of its own: PHP takes one. */
  classes: string
  /** Whether the server runs as root, which PHP-FPM and nginx do when they are told to. */
  isRoot: boolean
  /** The path of a program that the runtime needs. */
  binary: (name: string) => string | undefined
}

/** By name, without braces. Every program and file among the needs of the runtime has one, and `php`. */
export function placeholders({ needs }: Pick<Runtime, 'needs'>, placement: Placement): Values {
  const { directory, log, runtime, front, frontFunctions, address, port, connections, cpus, classes, isRoot, binary } = placement
  const programs = ['php', ...needs.flatMap((need) => ('binary' in need ? [need.binary] : 'file' in need ? [need.file] : []))]
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
