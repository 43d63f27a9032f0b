/** Downloads the sources of a PECL package, with PECL's own installer or with PIE, its successor. */
import type { PeclPackage } from '../config/runtimes.ts'
import { which } from '../system/which.ts'

export interface Download {
  from: 'PECL' | 'PIE'
  /** Runs in an empty directory and leaves the sources in `source/`. */
  command: string[]
}

const BY_PECL = 'set -e; "$0" download "$1-$2"; tar xzf ./*.tgz; mv "$1"-*/ source'
// PIE could build, too, but refuses options that the release does not declare.
const BY_PIE =
  'set -e; said=$("$0" download --no-interaction "$1:$2") || { printf "%s\\n" "$said" >&2; exit 1; }; cp -R "$(printf "%s\\n" "$said" | sed -n "s/^.* source to: *//p")/." source'

/** @returns undefined if no installed installer knows the package */
export function downloadOf({ package: name, pie }: PeclPackage, release: string): Download | undefined {
  const pecl = which('pecl')
  if (pecl) return { from: 'PECL', command: ['sh', '-c', BY_PECL, pecl, name, release] }
  const program = which('pie')
  return pie !== undefined && program ? { from: 'PIE', command: ['sh', '-c', BY_PIE, program, pie, release] } : undefined
}
