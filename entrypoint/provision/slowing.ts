/** Extensions that slow or endanger a measurement: which are installed, and which are off in every arm. */
import { modulesOf } from './modules.ts'

export interface Slowing {
  name: string
  /** Its effect on a measurement. */
  harm: string
  /** How to switch it off. If every arm omits it, this is the setting that could load it again. */
  remedy: string
  /** Whether every arm omits it. */
  isOffInArms: boolean
}

const AGENT = 'measures every request and slows it'
const disabled = (name: string): string => `sudo phpdismod ${name}, or remove the ini file that loads it (php --ini lists them)`

export const SLOWING: readonly Slowing[] = [
  {
    name: 'xdebug',
    harm: 'slows every request and crashes Swoole',
    remedy:
      "set XDEBUG_MODE=off where the app's environment sets it, and load no zend_extension=xdebug (php.ini, `php.ini` of the configuration; setup-php: `coverage: none`)",
    isOffInArms: true,
  },
  {
    name: 'pcov',
    harm: 'slows every request',
    remedy: 'pcov.enabled=0 in php.ini, or `php.ini` of the configuration without pcov (setup-php: `coverage: none`)',
    isOffInArms: true,
  },
  {
    name: 'excimer',
    harm: AGENT,
    remedy: 'load no extension=excimer (php.ini, `php.ini` of the configuration)',
    isOffInArms: true,
  },
  ...['blackfire', 'newrelic', 'ddtrace', 'opentelemetry'].map((name) => ({
    name,
    harm: AGENT,
    remedy: disabled(name),
    isOffInArms: false,
  })),
]

/** The slowing extensions among the names. @param loaded names of extensions, in any case */
export function slowingAmong(loaded: Iterable<string>): Slowing[] {
  const lower = new Set([...loaded].map((name) => name.toLowerCase()))
  return SLOWING.filter(({ name }) => lower.has(name))
}

/** The slowing extensions that this machine's programs load, with the programs' names. @param programs paths by name */
export async function slowingIn(programs: Readonly<Record<string, string>>): Promise<(Slowing & { in: string[] })[]> {
  const loaded = await Promise.all(
    Object.entries(programs).map(async ([name, path]) => ({ name, found: slowingAmong(await modulesOf(path)) })),
  )
  return SLOWING.map((one) => ({ ...one, in: loaded.filter(({ found }) => found.includes(one)).map(({ name }) => name) })).filter(
    (one) => one.in.length > 0,
  )
}
