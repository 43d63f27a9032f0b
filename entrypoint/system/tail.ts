/** The end of a log for a person. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Lines of a log that a message shows. */
export const TAIL_LINES = 12
/** Characters of a log that a file of its own keeps. */
export const LOG_KEPT = 1 << 16

/** A log that says nothing new for this long is at rest. */
const REST_MS = 250
/** Characters of a line that a message shows. */
const LINE_SHOWN = 500
/** A log that is written to all the time is read all the same. */
const LOOKS = 8

/** A server may answer first and log then: php-fpm's master passes its children's lines on some milliseconds later, a daemon those of a container. */
export async function atRest(read: () => Promise<string>): Promise<string> {
  let log = await read()
  for (let look = 1; look < LOOKS; look++) {
    await sleep(REST_MS)
    const later = await read()
    if (later === log) break
    log = later
  }
  return log
}

/** A log without what a server always says, and nobody can do anything about. Pure. */
export function withoutNoise(log: string, noise: readonly string[]): string {
  return noise.reduce((text, pattern) => text.replace(new RegExp(pattern, 'gm'), ''), log)
}

/** The last lines; of lines that differ only in numbers (times, ports, process ids) the last one. Pure. */
export function distinctTail(log: string, count: number): string {
  const seen = new Set<string>()
  const kept: string[] = []
  for (const line of log.trim().split('\n').reverse()) {
    const shape = line.replace(/\d+/g, '#')
    if (line.trim() === '' || seen.has(shape)) continue
    seen.add(shape)
    kept.unshift(line.slice(0, LINE_SHOWN))
    if (kept.length === count) break
  }
  return kept.join('\n')
}
