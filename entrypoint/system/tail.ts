/** The end of a log for a person. */
import { setTimeout as sleep } from 'node:timers/promises'

/** A log that says nothing new for this long is at rest. */
const REST_MS = 250
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

/** The last lines; of lines that differ only in numbers (times, ports, process ids) the last one. Pure. */
export function distinctTail(log: string, count: number): string {
  const seen = new Set<string>()
  const kept: string[] = []
  for (const line of log.trim().split('\n').reverse()) {
    const shape = line.replace(/\d+/g, '#')
    if (line.trim() === '' || seen.has(shape)) continue
    seen.add(shape)
    kept.unshift(line)
    if (kept.length === count) break
  }
  return kept.join('\n')
}
