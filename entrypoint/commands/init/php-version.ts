/** Chooses the PHP version for the workflow of `init` from composer.json and composer.lock. Pure. */

/** Minor versions that Swoole 6.2 supports, newest first. */
export const PHP_VERSIONS = ['8.5', '8.4', '8.3', '8.2'] as const

/** A patch number above any that a constraint names: each minor version stands for its newest release. */
const NEWEST_PATCH = 999

type Version = [major: number, minor: number, patch: number]

/**
 * The newest version that every constraint allows, or undefined if none does.
 *
 * @param constraints in Composer's syntax
 */
export function newestPhp(constraints: readonly string[]): string | undefined {
  return PHP_VERSIONS.find((version) => constraints.every((constraint) => allows(constraint, version)))
}

/**
 * Whether the newest release of a minor version meets a constraint of Composer's.
 *
 * @param version such as 8.4
 */
export function allows(constraint: string, version: string): boolean {
  const [major, minor] = version.split('.').map(Number) as [number, number]
  const newest: Version = [major, minor, NEWEST_PATCH]
  return constraint.split(/\|\|?/).some((alternative) =>
    alternative
      .trim()
      .replace(/\s+-\s+/g, '..')
      .replace(/([<>=!^~])\s+/g, '$1')
      .split(/[\s,]+/)
      .filter(Boolean)
      .every((part) => meets(newest, part)),
  )
}

function meets(version: Version, part: string): boolean {
  const [from, to] = part.split('..')
  if (to !== undefined) return meets(version, `>=${from}`) && (meets(version, `<${to}`) || meets(version, to))
  const match = /^(\^|~|>=|<=|<>|!=|==|=|<|>)?v?(\d+(?:\.\d+)*)(\.[*x])?(?:[-@].*)?$/i.exec(part)
  // Composer judges `*`, and constraints that this function does not understand.
  if (!match) return true
  const [, operator, written, wildcard] = match
  const numbers = (written as string).split('.').map(Number)
  const lower: Version = [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0]
  const places = Math.min(numbers.length, 3)
  const isWithin = (shared: number): boolean => isAtLeast(version, lower) && !isAtLeast(version, above(lower, shared))
  switch (operator) {
    case '^':
      return isWithin(1)
    case '~':
      return isWithin(Math.max(1, places - 1))
    case '>=':
    case '>':
      return isAtLeast(version, lower)
    case '<':
    case '<=':
      return !isAtLeast(version, lower)
    case '!=':
    case '<>':
      return wildcard === undefined || !isWithin(places)
    default:
      // An exact release counts, too, because setup-php installs the newest of its minor version.
      return isWithin(wildcard ? places : Math.min(places, 2))
  }
}

/** The first version above all that begin with the same `places` numbers. */
function above([major, minor, patch]: Version, places: number): Version {
  if (places === 1) return [major + 1, 0, 0]
  return places === 2 ? [major, minor + 1, 0] : [major, minor, patch + 1]
}

function isAtLeast(version: Version, bound: Version): boolean {
  const at = version.findIndex((number, i) => number !== bound[i])
  return at < 0 || (version[at] as number) > (bound[at] as number)
}
