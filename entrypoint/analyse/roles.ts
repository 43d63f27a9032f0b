/** Finds the reference mode and the mode under test if neither the command line nor run.json names them. */
import { names, PACKAGE } from '../config/catalog.ts'
import { runtimeNamed } from '../config/runtimes.ts'
import { COLUMNS } from '../measure/samples.ts'
import { InputError } from '../system/errors.ts'

/** The names that the analysis allows. */
const NAME = /^[A-Za-z0-9][\w.-]{0,79}$/

/** The modes in the texts of samples.csv. Undefined if a text has another header or an invalid name, which the analysis refuses. */
export function modesIn(texts: readonly string[]): string[] | undefined {
  const found = new Set<string>()
  for (const text of texts) {
    const [header, ...rows] = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)
    if (header !== COLUMNS.join(',')) return undefined
    for (const row of rows) {
      const mode = row.split(',')[COLUMNS.indexOf('mode')]
      if (mode) found.add(mode)
    }
  }
  return [...found].every((mode) => NAME.test(mode)) ? [...found] : undefined
}

/**
 * Puts the modes into the order of their roles, by the kinds of the runtimes. The order of the rows does not matter.
 *
 * @returns the synchronous reference, the mode under test, then the others
 * @throws InputError if the kinds allow several orders
 */
export function inRoles(modes: readonly string[], root = PACKAGE): string[] {
  if (modes.length < 2) return [...modes]
  const known = names('runtimes', root)
  const runtimes = modes.filter((mode) => known.includes(mode)).map((mode) => runtimeNamed(mode, root))
  const isKnown = runtimes.length === modes.length
  const bootsAnew = runtimes.filter(({ kind, stateful }) => kind === 'sync' && !stateful)
  const keepsApp = runtimes.filter(({ kind, stateful }) => kind === 'sync' && stateful)
  const async = runtimes.filter(({ kind }) => kind === 'async')
  const [reference, second] = bootsAnew.length ? bootsAnew : keepsApp
  const [tested, third] = async.length ? async : bootsAnew.length ? keepsApp : []
  if (!isKnown || !reference || second || !tested || third) {
    throw new InputError(
      `--modes: needed, since no run.json says which mode is the reference. Found in the samples: ${modes.join(', ')}. Allowed: the reference first, then the mode under test, such as --modes fpm,swoole`,
    )
  }
  const roles = [reference.name, tested.name]
  return [...roles, ...modes.filter((mode) => !roles.includes(mode))]
}
