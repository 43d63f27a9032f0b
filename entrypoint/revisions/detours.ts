/** Refuses links and nested repositories on the path of the configuration. Base is read by the same path, so a pull request must not
 * redirect it. */
import { lstatSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { InputError } from '../system/errors.ts'

/**
 * @param outer the directory of the job's checkout, which no pull request can replace
 * @param workspace the repository under test, or a folder of it
 * @param source the configuration file
 * @throws InputError for a link on the path, or a repository inside the one that was checked out
 */
export function refuseDetours(outer: string, workspace: string, source: string): void {
  const way = relative(outer, source)
  if (way.startsWith('..')) return
  for (const place of prefixes(outer, way)) {
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new InputError(`${relative(outer, place)}: found a link, allowed: a plain file or folder, since base is read by the same path`)
  }
  const repositories = [outer, ...prefixes(outer, relative(outer, workspace))].filter((place) =>
    lstatSync(join(place, '.git'), { throwIfNoEntry: false }),
  )
  if (repositories.length > 1)
    throw new InputError(
      `workspace: found ${relative(outer, repositories[1] as string)}, a repository inside the one that was checked out. Allowed: that one, or a folder of it`,
    )
}

/** Each prefix of the path: `a`, `a/b`, `a/b/c` below a directory. */
function prefixes(directory: string, path: string): string[] {
  const parts = path.split(sep).filter(Boolean)
  return parts.map((_, i) => join(directory, ...parts.slice(0, i + 1)))
}
