/** The findings of `init` about an app, and the phrases that they share. */

import { ENTRY } from '../../config/schema.ts'
import type { Repository } from './repository.ts'

export interface Found {
  name: string
  /** PHP files by path: bench/app.php, or the start of the app's own server. */
  files: Record<string, string>
  /** The text of the configuration file. */
  config: string
  /** The remaining steps, in order. */
  next: string[]
}

/** Where frameworks keep their front script. */
export const FRONT = 'public/index.php'

export const PATHS_HINT = 'under workloads: in .github/async-php-bench.yml, list paths that your app answers; replace home if it has no /'

/** Whether bench/app.php is, or will be, this text of ours. A hint about it would be wrong for a file that was edited. */
export function isOurs({ kept }: Repository, text: string): boolean {
  return [undefined, text].includes(kept(ENTRY))
}
