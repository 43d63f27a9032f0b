/** The folders under runtimes/ and workloads/: what each declares, read and checked. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { z } from 'zod'
import { InputError } from '../system/errors.ts'
import type { Kind, Mode } from './experiment.ts'
import type { Config } from './schema.ts'
import { nearest } from './suggest.ts'
import type { userWorkload } from './workload-schema.ts'

/** Something a runtime needs on the machine; how provision finds and installs it. */
export type Need =
  | { binary: string; apt?: string | undefined; 'version-of-php'?: boolean | undefined }
  | { extension: string; apt?: string | undefined; pecl?: PeclPackage | undefined }
  | { composer: string; directory: string }

/** A package of PECL, built where no other package has its extension. */
export interface PeclPackage {
  package: string
  /** Options of configure, by the extension that PHP must have for it, with the Debian package of its headers. */
  with: Record<string, { option: string; apt?: string | undefined }>
}

/** A folder under runtimes/, read. */
export interface Runtime {
  name: string
  kind: Kind
  description: string
  directory: string
  /** How many worker processes: one a CPU, or one a connection. */
  workers: 'cpus' | 'connections'
  /** Several requests at a time in one process. */
  concurrent: boolean
  /** The app stays in memory between requests, which is a gain by itself. */
  stateful: boolean
  /** Waiting in ordinary PHP calls must overlap; preflight proves it. */
  overlapsWaiting: boolean
  /** Sentences for the report: what this runtime cannot do. */
  limits: string[]
  needs: Need[]
  templates: string[]
  /** Path whose JSON answer is recorded after each run: the server's own counters. */
  status?: string | undefined
  /** Regular expressions of what its log says in every run: left out where the log's end is shown. `^` and `$` are those of a line. */
  noise: string[]
  /** What to say where its log has a match of a regular expression. */
  advice: { log: string; say: string }[]
  processes: { command: string[]; socket?: string | undefined }[]
}

export interface Expectation {
  status: number
  contains?: string | undefined
}

export interface Workload {
  name: string
  /** Path and query. `{id}`, here, in headers and in the body, stands for an identity: preflight sends distinct ones, hey the first. */
  path: string
  method: string
  headers: Record<string, string>
  body?: string | undefined
  /** What `{id}` stands for; absent: the numbers from 1. */
  ids?: string[] | undefined
  expect: Expectation
  /** Regular expressions of what may differ between answers. */
  mask: string[]
  builtIn?: BuiltIn | undefined
}

/** The folder of a built-in workload. */
export interface BuiltIn {
  directory: string
  description: string
  database: boolean
  schema?: string | undefined
  /** Statements a successful request makes; preflight counts them on the server. */
  statements?: Record<string, number> | undefined
}

/** The root of this package, from entrypoint/config/ and from dist/ alike. */
export const PACKAGE = rootAbove(dirname(fileURLToPath(import.meta.url)))

function rootAbove(directory: string): string {
  return existsSync(join(directory, 'runtimes')) ? directory : rootAbove(dirname(directory))
}

const peclSchema = z.strictObject({
  package: z.string(),
  with: z.record(z.string(), z.strictObject({ option: z.string(), apt: z.string().optional() })).default({}),
})

const runtimeSchema = z.strictObject({
  name: z.string(),
  kind: z.enum(['sync', 'async']),
  description: z.string(),
  workers: z.enum(['cpus', 'connections']),
  concurrent: z.boolean().default(false),
  'overlaps-waiting': z.boolean().default(false),
  stateful: z.boolean().default(false),
  limits: z.array(z.string()).default([]),
  needs: z
    .array(
      z.union([
        z.strictObject({ binary: z.string(), apt: z.string().optional(), 'version-of-php': z.boolean().optional() }),
        z.strictObject({ extension: z.string(), apt: z.string().optional(), pecl: peclSchema.optional() }),
        z.strictObject({ composer: z.string() }),
      ]),
    )
    .default([]),
  templates: z.array(z.string()).default([]),
  status: z.string().startsWith('/').optional(),
  noise: z.array(z.string()).default([]),
  advice: z.array(z.strictObject({ log: z.string(), say: z.string() })).default([]),
  processes: z.array(z.strictObject({ command: z.array(z.string()).min(1), socket: z.string().optional() })).min(1),
})

const workloadSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  database: z.boolean().default(false),
  schema: z.string().optional(),
  statements: z.record(z.string(), z.number().int().nonnegative()).optional(),
  options: z.record(z.string(), z.array(z.string()).min(1)).default({}),
  expect: z.strictObject({ status: z.number().int(), contains: z.string().optional() }),
  mask: z.array(z.string()).default([]),
})

/** Names of the folders that can be used as a runtime or a workload. */
export function names(kind: 'runtimes' | 'workloads', root = PACKAGE): string[] {
  const file = kind === 'runtimes' ? 'runtime.yml' : 'workload.yml'
  return readdirSync(join(root, kind))
    .filter((name) => existsSync(join(root, kind, name, file)))
    .sort()
}

/** @throws InputError if there is no such runtime */
export function runtimeNamed(name: string, root = PACKAGE): Runtime {
  const allowed = names('runtimes', root)
  if (!allowed.includes(name)) throw unknown('modes', 'runtime', name, allowed)
  const directory = join(root, 'runtimes', name)
  const { 'overlaps-waiting': overlapsWaiting, ...declared } = runtimeSchema.parse(
    parse(readFileSync(join(directory, 'runtime.yml'), 'utf8')),
  )
  const needs = declared.needs.map((need): Need => ('composer' in need ? { ...need, directory } : need))
  return { ...declared, needs, overlapsWaiting, directory }
}

/** The modes of the experiment. @throws InputError for an unknown or repeated one */
export function modesOf(config: Pick<Config, 'modes'>, root = PACKAGE): Mode[] {
  const modes = config.modes.map((mode): Mode => {
    if (typeof mode !== 'string') return { ...mode, via: 'command' }
    const runtime = runtimeNamed(mode, root)
    return { name: mode, kind: runtime.kind, via: 'runtime', runtime }
  })
  refuseRepeated(
    'modes',
    modes.map((mode) => mode.name),
  )
  return modes
}

/**
 * A gate compares an asynchronous mode with its synchronous reference, in that order: swapped, a loss would read as a gain.
 *
 * @throws InputError saying which order is allowed
 */
export function refuseWrongOrder([reference, tested]: readonly Mode[]): void {
  if (!tested) {
    throw new InputError(
      'modes: found one mode, allowed: a synchronous reference and an asynchronous mode under test. `study` measures one.',
    )
  }
  const keepsApp = (mode: Mode): boolean => mode.via === 'runtime' && mode.runtime.stateful
  const isReference = reference?.kind === 'sync'
  const isTested = tested.kind === 'async' || (keepsApp(tested) && !keepsApp(reference as Mode))
  if (isReference && isTested) return
  const found = [reference as Mode, tested].map(({ name, kind }) => `${name} (${kind})`).join(', ')
  throw new InputError(
    `modes: found ${found}, allowed: the synchronous reference first, then the asynchronous mode under test. \`study\` compares any modes.`,
  )
}

/**
 * A front script sees one request at a time: superglobals, header() and a session are the whole process's.
 *
 * @param front of one revision
 * @throws InputError for a mode with several requests in one process
 */
export function refuseFront(front: string | null, modes: readonly Mode[], root = PACKAGE): void {
  const mode = modes.find((mode) => mode.via === 'runtime' && mode.runtime.concurrent)
  if (front === null || !mode) return
  const allowed = names('runtimes', root).filter((name) => !runtimeNamed(name, root).concurrent)
  throw new InputError(
    `modes: ${mode.name} serves several requests at a time in one process, but superglobals, header() and the session of ${front} belong to the process: requests would read each other's. Allowed with front: ${allowed.join(', ')}, or a mode of your own by \`command\``,
  )
}

/** The workloads of the experiment. @throws InputError for unknown ones and for options they do not have */
export function workloadsOf(config: Pick<Config, 'modes' | 'workloads'>, root = PACKAGE): Workload[] {
  const workloads = config.workloads.map((entry): Workload => {
    if (typeof entry === 'string') return builtIn(entry, {}, root)
    if ('path' in entry && typeof entry.path === 'string') {
      // The files are read once the revision is there: ids-file.ts.
      const { 'ids-file': _file, paths: _paths, ...workload } = entry as z.output<typeof userWorkload>
      refuseBadPatterns(workload.name, workload.mask)
      return workload
    }
    const { name, ...options } = entry
    return builtIn(String(name), options as Record<string, unknown>, root)
  })
  refuseRepeated(
    'workloads',
    workloads.map((workload) => workload.name),
  )
  const own = config.modes.find((mode) => typeof mode !== 'string')
  const inside = workloads.find((workload) => workload.builtIn)
  if (typeof own === 'object' && inside) {
    throw new InputError(
      `workloads: ${inside.name} is built in, but the mode ${own.name} brings its own server, where it cannot run. Allowed: paths of your app`,
    )
  }
  return workloads
}

function builtIn(name: string, options: Record<string, unknown>, root: string): Workload {
  const allowed = names('workloads', root)
  if (!allowed.includes(name)) throw unknown('workloads', 'built-in workload', name, allowed, ' A workload of your own needs a `path`.')
  const directory = join(root, 'workloads', name)
  const declared = workloadSchema.parse(parse(readFileSync(join(directory, 'workload.yml'), 'utf8')))
  const query = new URLSearchParams()
  for (const [option, value] of Object.entries(options)) {
    const values = declared.options[option]
    if (!values) throw unknown(`workloads.${name}`, 'option', option, Object.keys(declared.options))
    if (!values.includes(String(value))) throw unknown(`workloads.${name}.${option}`, 'value', String(value), values)
    query.set(option, String(value))
  }
  const folder: BuiltIn = {
    directory,
    description: declared.description,
    database: declared.database,
    schema: declared.schema ? join(directory, declared.schema) : undefined,
    statements: declared.statements,
  }
  const path = `/_bench/${name}${query.size ? `?${query}` : ''}`
  return { name, path, method: 'GET', headers: {}, expect: declared.expect, mask: declared.mask, builtIn: folder }
}

function unknown(place: string, what: string, found: string, allowed: string[], more = ''): InputError {
  const hint = nearest(found, allowed)
  return new InputError(
    `${place}: no ${what} named "${found}"${hint ? `; did you mean "${hint}"?` : ''} Allowed: ${allowed.join(', ') || 'none'}.${more}`,
  )
}

function refuseRepeated(place: string, found: string[]): void {
  const twice = found.find((name, i) => found.indexOf(name) !== i)
  if (twice) throw new InputError(`${place}: "${twice}" is there twice; each name once`)
}

function refuseBadPatterns(name: string, patterns: string[]): void {
  for (const pattern of patterns) {
    try {
      new RegExp(pattern)
    } catch (error) {
      throw new InputError(`workloads.${name}.mask: ${JSON.stringify(pattern)} is not a regular expression: ${(error as Error).message}`)
    }
  }
}
