/** The configuration file: its schema, defaults and error messages. */
import { LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { InputError } from '../system/errors.ts'
import { docker } from './docker-schema.ts'
import { describe, explain } from './explain.ts'
import { inside, name, scalar } from './values.ts'
import { expectation, WORKLOAD_KEYS, workload } from './workload-schema.ts'

const percent = z.number().positive().lt(100)

const commandMode = z.strictObject({
  name,
  kind: z.enum(['sync', 'async']),
  command: z.string().min(1),
  health: z.string().startsWith('/').default('/'),
})

/** Settings of the gate, each by itself. */
export const gateKeys = z.strictObject({
  'max-regression': percent.default(5).describe('the loss of the gain, in percent, above which a proven loss fails'),
  resolution: percent.default(10).describe('the loss of the gain, in percent, that a pass excludes'),
  'min-gain': z
    .union([z.number().positive(), z.record(name, z.number().positive())])
    .nullable()
    .default(null)
    .describe('the smallest allowed gain of head, as a ratio: 1 is equal'),
  'max-slowdown': percent
    .nullable()
    .default(null)
    .describe('the loss of speed, in percent, above which a mode by itself fails, head against base'),
  'max-error-rate': z.number().min(0).max(100).default(0.1).describe('failed requests that are allowed, in percent'),
  alpha: z.number().positive().max(0.5).default(0.05).describe('the level of the tests: the allowed rate of false alarms'),
  'on-sync-improvement': z
    .enum(['warn', 'fail'])
    .default('warn')
    .describe('what happens where the gain fell only because the synchronous mode became faster'),
})
// A pass excludes a loss of `resolution`: less than what is tolerated could never be proven beside it.
const gate = gateKeys.refine((keys) => keys.resolution >= keys['max-regression'], {
  path: ['resolution'],
  message: 'a pass excludes a loss of `resolution`, so it must be at least max-regression',
})

const concurrency = z.number().int().min(1).max(1000)

const SWOOLE = 'must be a version in quotes, such as "6.2"'
const DURATION = 'must be a number with s, m or h, such as 25m'

export const configSchema = z.strictObject({
  app: inside.default('bench/app.php').describe('the entry file of the app'),
  front: inside
    .regex(/^[A-Za-z0-9._/-]+\.php$/, 'must be a PHP script inside the repository, such as public/index.php')
    .nullable()
    .default(null)
    .describe('instead of app: a script that serves every path, run as PHP-FPM runs it'),
  modes: z
    .array(z.union([name, commandMode]))
    .min(1)
    .max(6)
    .default(['fpm', 'swoole'])
    .describe('the synchronous reference first, then the asynchronous mode under test'),
  workloads: z.array(workload).min(1).max(20).prefault(['fibonacci', 'invoice']).describe('built-in workloads and paths of the app'),
  loads: z
    .record(name, z.union([concurrency.transform((of) => ({ concurrency: of })), z.strictObject({ concurrency })]))
    .refine((loads) => Object.keys(loads).length > 0, 'must name at least one load level')
    .prefault({ medium: { concurrency: 8 }, high: { concurrency: 32 } })
    .describe('load levels by name'),
  budget: z
    .string(DURATION)
    .regex(/^\d+(s|m|h)$/, { error: DURATION, abort: true })
    .regex(/[1-9]/, 'must be longer than 0, such as 25m')
    .default('25m')
    .describe('time for measuring; provisioning is not counted'),
  profile: z.enum(['full', 'quick']).default('full').describe('quick: 6 blocks of short runs, for trying out'),
  blocks: z.number().int().min(1).max(100).nullable().default(null).describe('a fixed number of blocks instead of what the budget allows'),
  baseline: z
    .string()
    .regex(/^[A-Za-z0-9._/@^~-]+$/, 'must be auto, none, latest-release or a git revision')
    .default('auto')
    .describe('what head is compared with: auto, none, latest-release or a git revision'),
  gate: gate.default(gateKeys.parse({})).describe('what fails the job'),
  'on-inconclusive': z.enum(['warn', 'fail', 'pass']).default('warn').describe('what an inconclusive verdict does to the job'),
  'on-not-gated': z
    .enum(['warn', 'fail', 'pass'])
    .default('warn')
    .describe('what it does to the job when nothing was gated, or when a pull request changes what some of the cells measure'),
  engine: z
    .enum(['auto', 'host', 'docker'])
    .default('auto')
    .describe('where the app is served; auto takes docker where `docker` names a dockerfile or an image and a daemon answers'),
  docker: docker.default(docker.parse({})).describe('images and limits of the docker engine'),
  database: z
    .union([
      z.enum(['auto', 'mariadb', 'mysql', 'none']),
      z.string().regex(/^mysql:\/\/\S+$/, 'must be auto, mariadb, mysql, none, or mysql://user:password@host:port'),
    ])
    .default('auto')
    .describe('where the databases come from'),
  connections: z
    .number()
    .int()
    .min(1)
    .max(512)
    .default(16)
    .describe('requests in flight and database connections, the same for every mode'),
  instances: z
    .enum(['pool', 'shared'])
    .default('pool')
    .describe('shared: one app instance for all coroutines of a worker, for apps written for it'),
  swoole: z
    .string(SWOOLE)
    .regex(/^\d+(\.\d+){0,2}$/, SWOOLE)
    .nullable()
    .default(null)
    .describe('the version of Swoole that the modes need; without it what is there, else the newest tested release'),
  php: z
    .strictObject({ ini: z.record(z.string().regex(/^[A-Za-z0-9_.]+$/), scalar).default({}) })
    .default({ ini: {} })
    .describe('ini settings for every mode'),
  env: z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), scalar)
    .default({})
    .describe('environment of the app'),
  setup: z.array(z.string().min(1)).default([]).describe('commands run once for each revision, with its database'),
  'accept-label': z
    .string()
    .regex(/^[^\r\n,]{1,50}$/, 'must be the name of a label')
    .nullable()
    .default(null)
    .describe('a label with which a maintainer accepts a regression of one commit'),
  'accept-author': z
    // An input of an Action is text.
    .union([z.boolean(), z.enum(['true', 'false'])])
    .default(false)
    .transform((value) => String(value) === 'true')
    .describe('whether the author of a pull request may put that label on, for one-person projects'),
  'history-branch': z
    .string()
    .regex(/^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/, 'must be the name of a branch')
    .nullable()
    .default(null)
    .describe('a branch that keeps the gains of every push and release, with a page that draws them'),
  'comment-key': name.default('default').describe('tells several gates of one pull request apart'),
})

export type Config = z.output<typeof configSchema>
export type GateConfig = Config['gate']

/** Scalar keys, which are Action inputs and command-line options too. */
export const SCALAR_KEYS = [
  'app',
  'front',
  'budget',
  'profile',
  'blocks',
  'baseline',
  'on-inconclusive',
  'on-not-gated',
  'engine',
  'database',
  'connections',
  'instances',
  'swoole',
  'accept-label',
  'accept-author',
  'history-branch',
  'comment-key',
] as const
export const GATE_KEYS = Object.keys(gateKeys.shape) as (keyof GateConfig)[]

/**
 * Parses and validates a configuration.
 *
 * @param text YAML
 * @param file its name, for messages
 * @param overrides scalar and gate keys that win over the file
 * @throws InputError naming file, line, what was found and what is allowed
 */
export function parseConfig(text: string, file: string, overrides: Record<string, unknown> = {}): Config {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true })
  const first = document.errors[0]
  if (first) {
    throw new InputError(`${file}:${lines.linePos(first.pos[0]).line}: not valid YAML: ${first.message.split('\n')[0]}`)
  }
  // An anchor that refers to itself, or a bomb of them, makes toJS throw.
  let data: Record<string, unknown>
  try {
    data = (document.toJS({ maxAliasCount: 100 }) ?? {}) as Record<string, unknown>
  } catch (error) {
    throw new InputError(`${file}: not valid YAML: ${(error as Error).message}`)
  }
  if (typeof data !== 'object' || Array.isArray(data)) {
    throw new InputError(`${file}:1: must be a mapping of keys, found ${describe(data)}`)
  }
  const merged = merge(data, overrides)
  if (merged.app && merged.front) {
    throw new InputError(
      `${Object.hasOwn(overrides, 'front') ? 'input' : `${file}:${lineOf(['front'])}`}: front: found beside app; one of them`,
    )
  }
  const result = configSchema.safeParse(merged)
  if (result.success) {
    return result.data
  }
  const messages = result.error.issues
    .flatMap((issue) => explain(issue, merged, allowedKeys))
    .map(({ path, message }) => {
      const key = String(path[0] === 'gate' ? path[1] : path[0])
      return `${Object.hasOwn(overrides, key) ? 'input' : `${file}:${lineOf(path)}`}: ${message}`
    })
  throw new InputError(messages.join('\n'))

  function lineOf(path: PropertyKey[]): number {
    for (let depth = path.length; depth > 0; depth--) {
      const node = document.getIn(path.slice(0, depth), true) as { range?: [number, number, number] } | undefined
      if (node?.range) {
        return lines.linePos(node.range[0]).line
      }
    }
    return 1
  }
}

function merge(data: Record<string, unknown>, overrides: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...data }
  for (const [key, value] of Object.entries(overrides)) {
    if ((GATE_KEYS as string[]).includes(key)) {
      merged.gate = { ...((merged.gate as object | undefined) ?? {}), [key]: value }
    } else {
      merged[key] = value
    }
  }
  return merged
}

/** The keys a mapping of the configuration may have. */
function allowedKeys(path: PropertyKey[]): string[] {
  if (path.length === 0) return Object.keys(configSchema.shape)
  if (path[0] === 'gate') return GATE_KEYS
  if (path[0] === 'workloads') return path.at(-1) === 'expect' ? Object.keys(expectation.shape) : WORKLOAD_KEYS
  if (path[0] === 'modes') return Object.keys(commandMode.shape)
  if (path[0] === 'loads') return ['concurrency']
  if (path[0] === 'docker') return Object.keys(docker.shape)
  return path[0] === 'php' ? ['ini'] : []
}

/** Seconds of a duration such as 90s, 25m or 1h. */
export function seconds(duration: string): number {
  const unit = { s: 1, m: 60, h: 3600 }[duration.at(-1) as 's' | 'm' | 'h']
  return Number.parseInt(duration, 10) * unit
}

/** The JSON Schema of the configuration file, for editors. */
export function jsonSchema(): object {
  return z.toJSONSchema(configSchema, { io: 'input' })
}
