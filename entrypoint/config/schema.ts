/** The schema of the configuration file: keys, allowed values and defaults. */
import { z } from 'zod'
import { DATABASE_URL, DATABASE_WORDS, URL_FORMS } from './database.ts'
import type { Named } from './defined.ts'
import { docker } from './docker-schema.ts'
import { delay, duration } from './durations.ts'
import { RATE_CONNECTIONS } from './load-rate.ts'
import { SEARCH } from './load-search.ts'
import { inside, name, scalar, shape } from './values.ts'
import { workload } from './workload-schema.ts'

const percent = z.number().positive().lt(100)
/** Growth can exceed 100 percent. */
const growth = z.number().positive().max(1000).nullable().default(null)

export const commandMode = z.strictObject({
  name,
  kind: z.enum(['sync', 'async']),
  command: z.string().min(1),
  health: z.string().startsWith('/').default('/'),
})

/** The gate's settings, without the rules between them. */
export const gateKeys = z.strictObject({
  'max-regression': percent.default(5).describe('the tolerated loss of the gain, in percent; a larger proven loss fails'),
  resolution: percent.default(10).describe('the loss of the gain, in percent, that a pass excludes'),
  'min-gain': z
    .union([z.number().positive(), z.record(name, z.number().positive())])
    .nullable()
    .default(null)
    .describe('the smallest allowed gain of head, as a ratio: 1 is equal'),
  'max-slowdown': percent.nullable().default(null).describe('the tolerated slowdown of each mode by itself, head against base, in percent'),
  'max-p95-growth': growth.describe('the tolerated growth of the 95th percentile latency of each mode, head against base, in percent'),
  'max-memory-growth': growth.describe('the tolerated growth of the peak memory of each mode, head against base, in percent'),
  'max-error-rate': z.number().min(0).max(100).default(0.1).describe('the allowed share of failed requests, in percent'),
  alpha: z.number().positive().max(0.5).default(0.05).describe('the significance level of the tests: the allowed rate of false alarms'),
  'on-sync-improvement': z
    .enum(['warn', 'fail'])
    .default('warn')
    .describe('what to do if the gain fell only because the synchronous mode became faster'),
})
// A pass excludes a loss of `resolution`. A loss smaller than the tolerated one could never be excluded.
const gate = gateKeys.refine((keys) => keys.resolution >= keys['max-regression'], {
  path: ['resolution'],
  message: 'a pass excludes a loss of `resolution`, so it must be at least max-regression',
})

/** How a break that base does not have affects the verdict. */
const level = z.enum(['auto', 'fail', 'warn', 'off']).default('auto')

/** Checks for faults of apps that stay in memory, see entrypoint/checks/. */
export const checkLevels = z.strictObject({
  leak: level.describe('memory that grows with the requests'),
  state: level.describe('state that one request leaves behind for the next'),
  blocking: level.describe('calls that block the worker'),
  'cold-start': level.describe('the time until the app is ready, and its first answer'),
  reload: level.describe('answers that are lost when workers are replaced or the server ends'),
  recycle: level.describe('answers that are lost when a worker is replaced after a number of requests'),
  pool: level.describe('more connections than the app has instances'),
})
export const checkKeys = checkLevels.extend({
  'recycle-after': z
    .number()
    .int()
    .min(10)
    .max(1000)
    .default(100)
    .describe('the number of requests after which the check recycle has a worker replaced; no measured run replaces one'),
})

/** The default of `app`. */
export const ENTRY = 'bench/app.php'

const concurrency = z.number().int().min(1).max(1000)
/** Requests per second. hey counts whole microseconds between the requests of a connection. */
const rate = z.number().min(0.1).max(100_000)
const load = z.union([
  concurrency.transform((of) => ({ concurrency: of })),
  z
    .strictObject({ concurrency: concurrency.optional(), rate: rate.optional() })
    .refine((of) => of.concurrency !== undefined || of.rate !== undefined, {
      path: ['concurrency'],
      message: 'must be there, or a rate in a study',
    })
    .transform(({ concurrency: of = RATE_CONNECTIONS, ...rest }) => ({ concurrency: of, ...rest })),
])

const SWOOLE = 'must be a version in quotes, such as "6.2"'
const LOADS = 'must be a mapping of names to concurrencies, such as { high: 32 }, or search in a study'
const DATABASE = `must be ${DATABASE_WORDS.join(', ')}, or ${URL_FORMS}`

export const configSchema = z.strictObject({
  app: inside.default(ENTRY).describe('the entry file of the app'),
  front: inside
    .regex(/^[A-Za-z0-9._/-]+\.php$/, 'must be a PHP script inside the repository, such as public/index.php')
    .nullable()
    .default(null)
    .describe('a script that serves every path, run as PHP-FPM runs it; it replaces app'),
  modes: z
    .array(z.union([name, commandMode]), shape('must be a list, such as [fpm, swoole]'))
    .min(1)
    // Plots have as many colours (r/R/plots.R).
    .max(12)
    .default(['fpm', 'swoole'])
    .describe('the synchronous reference first, then the asynchronous mode under test'),
  workloads: z
    .array(workload, shape('must be a list, such as [fibonacci, /users]'))
    .min(1)
    .max(20)
    .prefault(['fibonacci', 'invoice'])
    .describe('built-in workloads and paths of the app'),
  loads: z
    .union(
      [
        z.literal('search').transform(() => SEARCH),
        z.record(name, load).refine((loads) => Object.keys(loads).length > 0, 'must name at least one load level'),
      ],
      LOADS,
    )
    .prefault({ medium: { concurrency: 8 }, high: { concurrency: 32 } })
    .describe('load levels by name: connections, or in a study a rate in requests per second; search: a study finds them'),
  budget: duration.default('25m').describe('time for measuring; provisioning is not counted'),
  profile: z
    .enum(['full', 'quick', 'work'])
    .default('full')
    .describe(
      'quick: 6 blocks of short runs, for trying out; work: only instructions are counted, and neither time nor waiting is measured',
    ),
  blocks: z.number().int().min(1).max(100).nullable().default(null).describe('a fixed number of blocks instead of what the budget allows'),
  baseline: z
    .string()
    .regex(/^[A-Za-z0-9._/@^~-]+$/, 'must be auto, none, latest-release or a git revision')
    .default('auto')
    .describe('the revision to compare head with: auto, none, latest-release or a git revision'),
  gate: gate.default(gateKeys.parse({})).describe('what fails the job'),
  instructions: z
    .enum(['auto', 'perf', 'valgrind', 'off'])
    .default('auto')
    .describe(
      'the tool that counts the instructions of a request; auto: perf or Valgrind, whichever works here, and none in the quick profile; profile: work needs one of them',
    ),
  checks: checkKeys
    .default(checkKeys.parse({}))
    .describe(
      'checks for faults of an app that stays in memory; fail: a break that base does not have fails the job, and without the check there is no pass; auto: the same but a job can pass without the check, and off in the profiles quick and work',
    ),
  explain: z
    .enum(['regressed', 'always'])
    .default('regressed')
    .describe('when to show where the CPU time went, by two runs under a profiler: if the verdict is regressed, or always'),
  'on-inconclusive': z.enum(['warn', 'fail', 'pass']).default('warn').describe('what to do if the verdict is inconclusive'),
  'on-not-gated': z
    .enum(['warn', 'fail', 'pass'])
    .default('warn')
    .describe('what to do if nothing was gated, or if a pull request changes what some cells measure'),
  engine: z
    .enum(['auto', 'host', 'docker'])
    .default('auto')
    .describe('where the app is served; auto means docker if `docker` names a dockerfile or an image and a daemon responds, else host'),
  docker: docker.default(docker.parse({})).describe('images and limits of the docker engine'),
  database: z
    .union([z.enum(DATABASE_WORDS), z.string().regex(DATABASE_URL, { error: DATABASE, abort: true })])
    .default('auto')
    .describe('where the databases come from'),
  redis: z
    // Inputs of an Action are text.
    .union([z.boolean(), z.enum(['true', 'false'])])
    .default(false)
    .transform((value) => String(value) === 'true')
    .describe('whether the app has a private Redis, emptied before each run'),
  latency: z
    .strictObject({
      database: delay.optional().describe('the delay of the database'),
      redis: delay.optional().describe('the delay of Redis'),
    })
    .default({})
    .describe('the delay of answers, as from another machine'),
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
    .describe('the version of Swoole that the modes need; null: the installed version, else the newest tested release'),
  php: z
    .strictObject({ ini: z.record(z.string().regex(/^[A-Za-z0-9_.]+$/), scalar).default({}) })
    .default({ ini: {} })
    .describe('ini settings for every mode'),
  env: z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), scalar)
    .default({})
    .describe('environment of the app'),
  setup: z
    .array(z.string().min(1), shape('must be a list, such as [php bin/console cache:warmup]'))
    .default([])
    .describe('commands run once for each revision, with its database'),
  'accept-label': z
    .string()
    .regex(/^[^\r\n,]{1,50}$/, 'must be the name of a label')
    .nullable()
    .default(null)
    .describe('a label with which a maintainer accepts a regression of one commit'),
  'accept-author': z
    // Inputs of an Action are text.
    .union([z.boolean(), z.enum(['true', 'false'])])
    .default(false)
    .transform((value) => String(value) === 'true')
    .describe('whether the author of a pull request may add that label, for one-person projects'),
  'history-branch': z
    .string()
    .regex(/^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/, 'must be the name of a branch')
    .nullable()
    .default(null)
    .describe('a branch that keeps the gains of every push and release, with a page that draws them'),
  comment: z
    .enum(['always', 'on-change', 'on-alert'])
    .default('always')
    .describe('when a pull request gets a comment; an existing one is always updated'),
  'comment-key': name.default('default').describe('distinguishes several gates of one pull request'),
})

/** The place of a value that was given outside the file. */
export const OUTSIDE = 'input: '

/** The place of a value: `file:line: `, OUTSIDE, or '' for a default. */
export type PlaceOf = (...path: PropertyKey[]) => string

export interface Config extends z.output<typeof configSchema> {
  /** For messages about faults that only a catalog, a commit or a pilot reveals. */
  placeOf: PlaceOf
  /** The names that the file defines, even if others were given outside it. */
  defined: Record<Named, string[]>
}
export type GateConfig = Config['gate']
export type CheckName = keyof z.output<typeof checkLevels>

/** The JSON Schema of the configuration file, for editors. */
export function jsonSchema(): object {
  return z.toJSONSchema(configSchema, { io: 'input' })
}
