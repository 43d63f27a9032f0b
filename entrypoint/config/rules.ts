/** The two halves of a configuration: how a pull request is judged and measured, and what each revision serves. Pure. */
import { isDeepStrictEqual } from 'node:util'
import type { Mode } from './experiment.ts'
import type { Config } from './schema.ts'
import type { Workload } from './workload.ts'

/** The keys of the rules. All come from one file: base's for a pull request. */
export const RULE_KEYS = [
  'modes',
  'loads',
  'blocks',
  'budget',
  'profile',
  'baseline',
  'gate',
  'instructions',
  'checks',
  'explain',
  'on-inconclusive',
  'on-not-gated',
  'engine',
  'database',
  'redis',
  'latency',
  'connections',
  'instances',
  'swoole',
  'accept-label',
  'accept-author',
  'history-branch',
  'comment',
  'comment-key',
] as const satisfies readonly (keyof Config)[]

/** Limits and services of the containers. They are the same for every arm, so they are rules, too. */
const LIMIT_KEYS = [
  'memory',
  'read-only',
  'database-image',
  'redis-image',
  'database-storage',
] as const satisfies readonly (keyof Config['docker'])[]

export type Rules = Pick<Config, (typeof RULE_KEYS)[number]> & { limits: Pick<Config['docker'], (typeof LIMIT_KEYS)[number]> }

/** What one revision serves. A change of it is measured like changed code. */
export interface Served extends Pick<Config, 'app' | 'front' | 'env' | 'php' | 'setup'> {
  docker: Omit<Config['docker'], (typeof LIMIT_KEYS)[number]>
  /** The modes of the rules. A mode with a command runs this revision's command. */
  modes: Mode[]
  /** The workloads that this revision is asked for, as it defines them. */
  workloads: Workload[]
}

export function rulesOf(config: Config): Rules {
  return { ...pick(config, RULE_KEYS), limits: pick(config.docker, LIMIT_KEYS) }
}

/**
 * @param modes the modes of the rules
 * @param own the modes that this revision's file defines
 */
export function servedBy(config: Config, modes: readonly Mode[], own: readonly Mode[], workloads: Workload[]): Served {
  const { app, front, env, php, setup, docker } = config
  const { memory: _m, 'read-only': _r, 'database-image': _i, 'redis-image': _d, 'database-storage': _s, ...image } = docker
  return { app, front, env, php, setup, docker: image, modes: modes.map((mode) => withOwnCommand(mode, own)), workloads }
}

/** The path of the app's entry file, relative to the repository. */
export function entryPathOf({ app, front }: Pick<Config, 'app' | 'front'>): string {
  return front ?? app
}

/** The mode with the revision's own command, if it has one. */
export function modeIn({ modes }: Served, mode: Mode): Mode {
  return modes.find(({ name }) => name === mode.name) ?? mode
}

function withOwnCommand(mode: Mode, own: readonly Mode[]): Mode {
  const same = own.find(({ name }) => name === mode.name)
  return mode.via === 'command' && same?.via === 'command' ? { ...mode, command: same.command, health: same.health } : mode
}

/** How many keys of a mapping and characters of a value are shown: a comment has a limit, and one announcement must not displace others. */
const MOST_KEYS = 10
const MOST_CHARACTERS = 120

/** Head's changes of the rules, one sentence per key. */
export function announcements(base: Rules, head: Rules): string[] {
  const changes = changesOf(base, head, '')
  const mapping = ({ key }: Change): string => key.split('.')[0] as string
  return [...new Set(changes.map(mapping))].flatMap((name) => {
    const own = changes.filter((change) => mapping(change) === name)
    const rest = own.length - MOST_KEYS
    return [
      ...own.slice(0, MOST_KEYS).map(sentence),
      ...(rest > 0
        ? [`This pull request changes ${rest} more keys of ${name}. The values of base count until the change has landed.`]
        : []),
    ]
  })
}

/** The images of head that base does not use, one sentence each. Everything else that head serves is in the repository. */
export function imagesAnnounced(base: Pick<Config, 'docker'>, head: Pick<Config, 'docker'>): string[] {
  return (['image', 'base'] as const).flatMap((key) => {
    const [from, to] = [base.docker[key], head.docker[key]]
    if (to === undefined || to === from) return []
    return [
      `Head is served from another docker.${key}: ${text(to)} instead of ${text(from)}. No file of this pull request shows its content. Review it as well.`,
    ]
  })
}

interface Change {
  key: string
  from: string
  to: string
}

function sentence({ key, from, to }: Change): string {
  return `This pull request changes ${key} from ${from} to ${to}. The value of base counts until the change has landed.`
}

/** Mappings that are compared key by key. */
const NESTED = new Set(['gate', 'checks', 'loads', 'latency', 'limits'])

function changesOf(base: object, head: object, prefix: string): Change[] {
  const keys = [...new Set([...Object.keys(base), ...Object.keys(head)])]
  return keys.flatMap((key) => {
    const [from, to] = [base, head].map((rules) => (prefix === '' ? ruleOf(rules, key) : own(rules, key)))
    if (isDeepStrictEqual(from, to)) return []
    if (NESTED.has(key) && prefix === '') return changesOf(from as object, to as object, key === 'limits' ? 'docker.' : `${key}.`)
    return [{ key: prefix + key, from: text(from), to: text(to) }]
  })
}

function ruleOf(rules: object, key: string): unknown {
  const value = own(rules, key)
  // The command of a mode belongs to each revision. Its name and kind are rules.
  if (key === 'modes') return (value as Config['modes']).map((mode) => (typeof mode === 'string' ? mode : `${mode.name} (${mode.kind})`))
  return value
}

/** Users choose the names, so one may be `constructor`. */
function own(mapping: object, key: string): unknown {
  return Object.hasOwn(mapping, key) ? (mapping as Record<string, unknown>)[key] : undefined
}

function text(value: unknown): string {
  const whole = value === undefined ? 'nothing' : JSON.stringify(value)
  return whole.length > MOST_CHARACTERS ? `${whole.slice(0, MOST_CHARACTERS)}… (${whole.length} characters)` : whole
}

function pick<T extends object, K extends keyof T>(value: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, value[key]])) as Pick<T, K>
}
