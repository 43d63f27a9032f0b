/** The configuration's keys as command-line options. Their meaning, values and defaults come from config/schema.ts. */
import { z } from 'zod'
import { GATE_KEYS, SCALAR_KEYS } from '../config/keys.ts'
import { configSchema } from '../config/schema.ts'
import type { Option } from './option.ts'

type Schema = z.core.JSONSchema.BaseSchema

/** Placeholders for values that are free text. */
const PLACEHOLDERS: Record<string, string> = {
  app: 'FILE',
  front: 'FILE',
  budget: 'DURATION',
  baseline: 'REVISION',
  database: 'URL',
  'accept-label': 'LABEL',
  'history-branch': 'BRANCH',
  'comment-key': 'NAME',
}

const top = propertiesOf(z.toJSONSchema(configSchema, { io: 'input' }))

/** List options, for which the command line takes names. */
export const LIST_OPTIONS: Option[] = [
  { ...optionOf('modes', top.modes), value: 'A,B,…' },
  {
    ...optionOf('workloads', top.workloads),
    value: 'A,B,…',
    meaning: `${top.workloads?.description}. A workload that the configuration defines is given by its name. A path such as /users is requested by GET and must answer 200`,
  },
]

export const SCALAR_OPTIONS: Option[] = SCALAR_KEYS.map((key) => optionOf(key, top[key]))

export const GATE_OPTIONS: Option[] = GATE_KEYS.map((key) => optionOf(key, propertiesOf(top.gate)[key]))

function optionOf(name: string, schema: Schema = {}): Option {
  const words = wordsOf(schema)
  const other = isOtherText(schema) ? [PLACEHOLDERS[name] ?? 'TEXT'] : isNumber(schema) ? ['N'] : []
  return {
    name,
    value: [...words, ...other].join('|'),
    meaning: schema.description ?? '',
    byDefault: describeDefault(schema.default),
    allowed: words.length && !other.length ? words : undefined,
  }
}

function propertiesOf(schema: Schema | undefined): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(schema?.properties ?? {}).filter((entry): entry is [string, Schema] => typeof entry[1] === 'object'),
  )
}

/** The alternatives of a schema, or the schema itself. */
function branchesOf(schema: Schema): Schema[] {
  return schema.anyOf ? schema.anyOf.filter((branch): branch is Schema => typeof branch === 'object').flatMap(branchesOf) : [schema]
}

function wordsOf(schema: Schema): string[] {
  return branchesOf(schema).flatMap((branch) => (branch.enum ?? []).map(String))
}

function isOtherText(schema: Schema): boolean {
  return branchesOf(schema).some((branch) => branch.type === 'string' && !branch.enum)
}

function isNumber(schema: Schema): boolean {
  return branchesOf(schema).some(({ type }) => type === 'number' || type === 'integer')
}

function describeDefault(value: unknown): string | undefined {
  if (value === undefined) return undefined
  return value === null ? 'none' : Array.isArray(value) ? value.join(',') : String(value)
}
