/** An app that its front script serves, and the steps from there to an app that bench/app.php returns. Pure. */
import { CONFIG_FILE } from '../../config/inputs.ts'
import { ENTRY } from '../../config/schema.ts'
import { configText, HANDLER_MODES, HOME } from './config-text.ts'
import { type Found, PATHS_HINT } from './found.ts'
import { valueIn } from './kept-config.ts'
import type { Repository } from './repository.ts'

export interface ByFront {
  name: string
  front: string
  /** Why `init` cannot write bench/app.php: a clause. */
  why: string
  /** What would let it do so. */
  remedy?: string | undefined
}

/** Works for any app with one front script, without coroutines. An existing bench/app.php is better, so it counts. */
export function byFront({ text, kept }: Repository, { name, front, why, remedy }: ByFront): Found {
  if (text(ENTRY) !== undefined) return { name, files: {}, config: configText(HANDLER_MODES, HOME), next: [PATHS_HINT] }
  const config = configText(`front: ${front}   # runs for each request`, 'modes: [fpm, swoole-sync]', HOME)
  return { name, files: {}, config, next: [...towardsCoroutines(kept(CONFIG_FILE) ?? config, { front, why, remedy }), PATHS_HINT] }
}

/** @param config the configuration that counts */
function towardsCoroutines(config: string, { front, why, remedy = `return the app from ${ENTRY}` }: Omit<ByFront, 'name'>): string[] {
  if ((valueIn(config, 'app') ?? ENTRY) !== ENTRY) return []
  if (valueIn(config, 'front') === undefined)
    return [`${CONFIG_FILE} names no front:, so ${remedy}; or set front: ${front} and modes: [fpm, swoole-sync]`]
  return [
    `coroutines are not measured yet: ${front} runs for each request, since ${why}`,
    `to measure them, ${remedy}; in ${CONFIG_FILE} remove front: and set ${HANDLER_MODES}`,
  ]
}
