/** The end of a log, or of what a command printed, for a person. */
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
export async function atRest(read: () => Promise<string>, restMs = REST_MS): Promise<string> {
  let log = await read()
  for (let look = 1; look < LOOKS; look++) {
    await sleep(restMs)
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

const FRAME = /^#\d+ /
const PACKAGE_FRAME = /\/vendor\/|^#\d+ (\[internal function\]|\{main\})/
/** Frames of a stack trace that are shown wherever they are: where it happened, and from where. */
const FRAMES_SHOWN = 2

/** A log whose stack traces leave room for the messages above them: of each, the top and the first frame outside vendor/. Pure. */
export function shortTraces(log: string): string {
  let frames = 0
  let isOwnShown = false
  return log
    .split('\n')
    .filter((line) => {
      if (!FRAME.test(line)) {
        frames = 0
        isOwnShown = false
        return true
      }
      frames++
      const isOwn = !PACKAGE_FRAME.test(line)
      const isShown = frames <= FRAMES_SHOWN || (isOwn && !isOwnShown)
      isOwnShown ||= isOwn
      return isShown
    })
    .join('\n')
}

/** What a runtime knows of its log. */
export interface LogKnowledge {
  /** Regular expressions of what it always says. */
  noise: readonly string[]
  /** What to say where the log has a match of a regular expression. */
  advice: readonly { log: string; say: string }[]
}

/** What a message shows of a log: its last lines, and what can be done about them. Pure. */
export function logEnd(log: string, { noise, advice }: LogKnowledge, lines: number): string {
  const tail = distinctTail(shortTraces(withoutNoise(log, noise)), lines)
  return [tail, ...advice.filter((known) => new RegExp(known.log).test(log)).map(({ say }) => say)].filter(Boolean).join('\n')
}

/** Of a server that is not one of ours. */
export const NOTHING_KNOWN: LogKnowledge = { noise: [], advice: [] }

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

/** The last lines of what a program printed, without empty ones. Pure. */
export function lastLines(text: string, count = 15): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.slice(-count).join('\n').trim() || 'no output'
}

/** What a failed command said last, for the middle of a sentence. Pure. */
export function lastLine(text: string): string {
  return lastLines(text, 1).slice(0, 300)
}
