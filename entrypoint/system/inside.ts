/** Opens files of a checkout: a link in a pull request must not lead to a file of the machine. */
import { lstatSync, realpathSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { InputError } from './errors.ts'

/**
 * @param name relative to the checkout
 * @returns its real path, or undefined if there is none
 * @throws InputError if the path leads outside the checkout, or is not a plain file
 */
export function fileInside(checkout: string, name: string): string | undefined {
  const path = join(checkout, name)
  const entry = lstatSync(path, { throwIfNoEntry: false })
  if (!entry) return undefined
  const real = realPath(path)
  if (real === undefined || /^\.\.(\/|$)/.test(relative(realpathSync(checkout), real))) {
    throw new InputError(
      `${name}: found a ${entry.isSymbolicLink() ? 'link' : 'path'} that leads outside the checkout. Allowed: a file of the repository`,
    )
  }
  if (!statSync(real).isFile()) throw new InputError(`${name}: found something that is not a file. Allowed: a file of the repository`)
  return real
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    // A link whose target does not exist.
    return undefined
  }
}
