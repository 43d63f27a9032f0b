/** Fits the findings to files that `init` leaves as they are, so that no step contradicts them. Pure. */
import { CONFIG_FILE } from '../../config/inputs.ts'
import { ENTRY } from '../../config/schema.ts'
import { HANDLER_MODES } from './config-text.ts'
import { type Found, PATHS_HINT } from './found.ts'
import type { Repository } from './repository.ts'

/** @returns the findings, without files that the configuration excludes, and a line about each of those */
export function fitted<T extends Found>(found: T, { kept, text }: Repository): T & { excluded: string[] } {
  const config = kept(CONFIG_FILE)
  const front = valueIn(config ?? found.config, 'front')
  const app = valueIn(config ?? '', 'app')
  const hasEntry = text(ENTRY) !== undefined
  if (config === undefined) {
    const isInTheWay = front !== undefined && hasEntry
    return { ...found, next: [...(isInTheWay ? [`git rm ${ENTRY}: together with front: it is refused`] : []), ...found.next], excluded: [] }
  }
  const other = front ? 'front' : app !== undefined && app !== ENTRY ? 'app' : undefined
  const { [ENTRY]: entry, ...files } = found.files
  const isExcluded = entry !== undefined && other !== undefined && !hasEntry
  return {
    ...found,
    files: isExcluded ? files : found.files,
    next: [
      ...(front && hasEntry
        ? [`remove front: from ${CONFIG_FILE} and set ${HANDLER_MODES}, or git rm ${ENTRY}: together they are refused`]
        : []),
      ...(front && isExcluded
        ? [`to measure coroutines, remove front: from ${CONFIG_FILE}, set ${HANDLER_MODES} there, and run init again`]
        : []),
      ...found.next.filter((step) => step !== PATHS_HINT || !hasPath(config)),
    ],
    excluded: isExcluded ? [`${ENTRY}: not written, because ${other}: in ${CONFIG_FILE} names ${front ?? app}`] : [],
  }
}

/** The value of a key at the beginning of a line. */
export function valueIn(config: string, key: 'front' | 'app'): string | undefined {
  return new RegExp(`^${key}:[ \\t]*["']?([^\\s"'#]+)`, 'm').exec(config)?.[1]
}

/** Whether a workload is a path of the app other than its home page. */
function hasPath(config: string): boolean {
  return /^workloads:[\s\S]*(?:path:|[[,\s-])\s*["']?\/[\w{]/m.test(config)
}
