/** The workloads of the experiment: built-in ones, each a folder under workloads/, and paths of the app. */
import { join } from 'node:path'
import { z } from 'zod'
import { InputError } from '../system/errors.ts'
import { names, PACKAGE, refuseRepeated, unknownName } from './catalog.ts'
import { databaseOf, isOnServer } from './database.ts'
import { readDeclaration } from './declaration.ts'
import { type Config, OUTSIDE } from './schema.ts'
import { nearest, suggesting } from './suggest.ts'
import type { BuiltIn, Workload } from './workload.ts'
import { type userWorkload, WORKLOAD_KEYS } from './workload-schema.ts'

const RANGE = /^(\d{1,9})\.\.(\d{1,9})$/

const expect = z.strictObject({ status: z.number().int(), contains: z.string().optional() })

/** workload.yml. */
const folderSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  database: z.boolean().default(false),
  schema: z.string().optional(),
  statements: z.record(z.string(), z.number().int().nonnegative()).optional(),
  /** Whether it calls the slow upstream, which the engine starts. */
  upstream: z.boolean().default(false),
  /** Allowed values: a list, or a range of whole numbers such as 1..50. */
  options: z
    .record(z.string(), z.union([z.array(z.string()).min(1), z.string().regex(RANGE, 'a list of texts, or a range such as 1..50')]))
    .default({}),
  expect,
  mask: z.array(z.string()).default([]),
})

/** The keys that a mapping of workload.yml may have. */
function allowedKeys(path: PropertyKey[]): string[] {
  if (path.length === 0) return Object.keys(folderSchema.shape)
  return path[0] === 'expect' ? Object.keys(expect.shape) : []
}

/** The workloads of the experiment. @throws InputError for unknown ones and for options they do not have */
export function workloadsOf(
  config: Pick<Config, 'modes' | 'workloads' | 'database' | 'placeOf'> & Partial<Pick<Config, 'defined'>>,
  root = PACKAGE,
): Workload[] {
  const workloads = config.workloads.map((entry, i): Workload => {
    const place = config.placeOf('workloads', i)
    // The names of the file's workloads are allowed only outside the file.
    if (typeof entry === 'string') return builtIn(entry, {}, root, place, place === OUTSIDE ? config.defined?.workloads : [])
    if ('path' in entry && typeof entry.path === 'string') {
      // ids-file.ts reads the files once the revision is checked out.
      const { 'ids-file': _file, paths: _paths, ...workload } = entry as z.output<typeof userWorkload>
      refuseBadPatterns(`${place}workloads.${workload.name}.mask`, workload.mask)
      return workload
    }
    const { name, ...options } = entry
    return builtIn(String(name), options as Record<string, unknown>, root, place)
  })
  refuseRepeated(
    `${config.placeOf('workloads')}workloads`,
    workloads.map((workload) => workload.name),
  )
  refuseOtherLanguage(config, workloads)
  const own = config.modes.find((mode) => typeof mode !== 'string')
  const inside = workloads.find((workload) => workload.builtIn)
  if (typeof own === 'object' && inside) {
    throw new InputError(
      `${config.placeOf('workloads')}workloads: ${inside.name} is built in and cannot run in the mode ${own.name}, which has its own server. Allowed: paths of your app`,
    )
  }
  return workloads
}

/** Built-in workloads have schemas for MySQL only. */
function refuseOtherLanguage({ database, placeOf }: Pick<Config, 'database' | 'placeOf'>, workloads: readonly Workload[]): void {
  const choice = databaseOf(database)
  const asking = workloads.find(({ builtIn }) => builtIn?.database)
  if (!asking || choice.from === 'none' || (isOnServer(choice) && choice.language === 'mysql')) return
  const others = names('workloads').filter((name) => !workloads.some((workload) => workload.name === name && workload.builtIn?.database))
  throw new InputError(
    `${placeOf('workloads') || placeOf('database')}workloads: ${asking.name} runs on MariaDB and MySQL only, found database: ${choice.from === 'url' ? 'a URL of PostgreSQL' : database}. Allowed beside it: ${others.join(', ')} and paths of your app`,
  )
}

/** @param others more allowed names, for the message */
function builtIn(name: string, options: Record<string, unknown>, root: string, place: string, others: readonly string[] = []): Workload {
  const allowed = names('workloads', root)
  if (!allowed.includes(name)) {
    // It has settings, so it is a workload of the app, in which only the path is misspelt.
    const misspelt = Object.keys(options).find((key) => nearest(key, WORKLOAD_KEYS) !== undefined && !WORKLOAD_KEYS.includes(key))
    if (misspelt) throw new InputError(`${place}${suggesting(`unknown key "${misspelt}" in workloads.${name}`, misspelt, WORKLOAD_KEYS)}`)
    const all = [...new Set([...allowed, ...others])]
    throw unknownName(
      `${place}workloads`,
      others.length ? 'workload' : 'built-in workload',
      name,
      all,
      ` A workload of your own needs a path, such as /${name}.`,
    )
  }
  const directory = join(root, 'workloads', name)
  const declared = readDeclaration(folderSchema, { root, file: `workloads/${name}/workload.yml`, name }, allowedKeys)
  const query = new URLSearchParams()
  for (const [option, value] of Object.entries(options)) {
    const values = declared.options[option]
    if (!values) throw unknownName(`${place}workloads.${name}`, 'option', option, Object.keys(declared.options))
    refuseValue(`${place}workloads.${name}.${option}`, String(value), values)
    query.set(option, String(value))
  }
  const folder: BuiltIn = {
    directory,
    description: declared.description,
    database: declared.database,
    schema: declared.schema ? join(directory, declared.schema) : undefined,
    upstream: declared.upstream,
    statements: declared.statements,
  }
  const path = `/_bench/${name}${query.size ? `?${query}` : ''}`
  return { name, path, method: 'GET', headers: {}, expect: declared.expect, mask: declared.mask, builtIn: folder }
}

/** @param allowed a list or a range */
function refuseValue(place: string, found: string, allowed: string[] | string): void {
  if (Array.isArray(allowed)) {
    if (!allowed.includes(found)) throw unknownName(place, 'value', found, allowed)
    return
  }
  const [, first, last] = RANGE.exec(allowed) ?? []
  if (!/^\d{1,9}$/.test(found) || Number(found) < Number(first) || Number(found) > Number(last))
    throw new InputError(`${place}: found ${found}, allowed: a whole number from ${first} to ${last}`)
}

function refuseBadPatterns(place: string, patterns: string[]): void {
  for (const pattern of patterns) {
    try {
      new RegExp(pattern)
    } catch (error) {
      throw new InputError(`${place}: ${JSON.stringify(pattern)} is not a regular expression: ${(error as Error).message}`)
    }
  }
}
