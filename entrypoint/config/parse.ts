/** The configuration file and the values given outside it -> one validated configuration. */
import type { z } from 'zod'
import { InputError } from '../system/errors.ts'
import { databaseOf, faultOf, isOnServer } from './database.ts'
import { indexOfDefined, NAMED, type Named, namesIn } from './defined.ts'
import { docker } from './docker-schema.ts'
import { readDocument } from './document.ts'
import { explain } from './explain.ts'
import { CHECK_KEYS, GATE_KEYS, JOB_INPUTS } from './keys.ts'
import { type Config, commandMode, configSchema, OUTSIDE, type PlaceOf } from './schema.ts'
import { expectation, WORKLOAD_KEYS } from './workload-schema.ts'

/**
 * Parses and validates a configuration.
 *
 * @param text YAML
 * @param file its name, for messages
 * @param overrides scalar and gate keys, modes and workloads that win over the file
 * @throws InputError naming file, line, what was found and what is allowed
 */
export function parseConfig(text: string, file: string, overrides: Record<string, unknown> = {}): Config {
  const { data, has, lineOf } = readDocument(text, file)
  const merged = merge(data, overrides)
  if (merged.app && merged.front) {
    throw new InputError(`${given(['front']) ?? `${file}:${lineOf(['front'])}: `}front: found together with app; allowed: one of them`)
  }
  const result = configSchema.safeParse(merged)
  if (result.success) {
    const placeOf: PlaceOf = (...path) => chosen(path) ?? given(path) ?? (has(path) ? `${file}:${lineOf(path)}: ` : '')
    refuseContradictions(result.data, placeOf)
    return { ...result.data, placeOf, defined: { modes: namesIn(data.modes), workloads: namesIn(data.workloads) } }
  }
  const messages = result.error.issues
    .flatMap((issue) => explain(issue, merged, allowedKeys))
    .map(({ path, message }) => ({ path, message: `${message}${homeOf(path)}` }))
    .map(({ path, message }) => `${chosen(path) ?? given(path) ?? `${file}:${lineOf(path)}: `}${message}`)
  throw new InputError(messages.join('\n'))

  /** The line in the file that defines a name given outside it. */
  function chosen([key, i, ...rest]: PropertyKey[]): string | undefined {
    const list = isNamed(key) && typeof i === 'number' ? overrides[key] : undefined
    const at = Array.isArray(list) && isNamed(key) ? indexOfDefined(list[i as number], data[key]) : -1
    return at < 0 ? undefined : `${file}:${lineOf([key as Named, at, ...rest])}: `
  }

  function given(path: PropertyKey[]): string | undefined {
    return Object.hasOwn(overrides, String(path[0] === 'gate' ? path[1] : path[0])) ? OUTSIDE : undefined
  }
}

/** @throws InputError for values that are valid by themselves but contradict each other */
function refuseContradictions({ database, engine, redis, latency }: z.output<typeof configSchema>, placeOf: PlaceOf): void {
  for (const [key, isThere, without, allowed] of [
    ['database', isOnServer(databaseOf(database)), `database: ${database}`, 'a database that has a server'],
    ['redis', redis, 'redis: false', 'redis: true'],
  ] as const) {
    if (latency[key] === undefined || isThere) continue
    throw new InputError(`${placeOf('latency', key)}latency.${key}: found ${latency[key]}ms with ${without}; allowed with ${allowed}`)
  }
  const fault = faultOf(database, engine)
  if (fault) throw new InputError(`${placeOf('database')}database: ${fault}`)
}

function merge(data: Record<string, unknown>, overrides: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...data }
  for (const [key, value] of Object.entries(overrides)) {
    if ((GATE_KEYS as string[]).includes(key)) {
      merged.gate = { ...((merged.gate as object | undefined) ?? {}), [key]: value }
    } else {
      const defined = data[key]
      const entryOf = (name: unknown): unknown => (Array.isArray(defined) && defined[indexOfDefined(name, defined)]) || name
      merged[key] = isNamed(key) && Array.isArray(value) ? value.map(entryOf) : value
    }
  }
  return merged
}

function isNamed(key: unknown): key is Named {
  return (NAMED as readonly unknown[]).includes(key)
}

/** Says where a misplaced key belongs: in `gate`, in the workflow, or among the Action's inputs. */
function homeOf(path: PropertyKey[]): string {
  const [key, ...inner] = path
  if (inner.length > 0) return ''
  if (key === 'services') return '. Services belong to the job in the workflow; `env:` gives the app their addresses'
  if ((GATE_KEYS as PropertyKey[]).includes(key as PropertyKey)) return `. Write gate: { ${String(key)}: … }`
  return (JOB_INPUTS as readonly PropertyKey[]).includes(key as PropertyKey)
    ? `. ${String(key)} is an input of the Action: write it below with:`
    : ''
}

/** The keys that a mapping of the configuration may have. */
function allowedKeys(path: PropertyKey[]): string[] {
  if (path.length === 0) return Object.keys(configSchema.shape)
  if (path[0] === 'gate') return GATE_KEYS
  if (path[0] === 'checks') return CHECK_KEYS
  if (path[0] === 'workloads') return path.at(-1) === 'expect' ? Object.keys(expectation.shape) : WORKLOAD_KEYS
  if (path[0] === 'modes') return Object.keys(commandMode.shape)
  if (path[0] === 'loads') return ['concurrency', 'rate']
  if (path[0] === 'docker') return Object.keys(docker.shape)
  if (path[0] === 'latency') return Object.keys(configSchema.shape.latency.unwrap().shape)
  return path[0] === 'php' ? ['ini'] : []
}
