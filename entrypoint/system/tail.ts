/** The end of a log or of a command's output, for a message. */
import { setTimeout as sleep } from 'node:timers/promises'

/** How many lines of a log a message shows. */
export const TAIL_LINES = 12
/** How many characters of a log its own file keeps. */
export const LOG_KEPT = 1 << 16

/** A log is at rest if it does not grow for this long. */
const REST_MS = 250
/** How many characters of a line a message shows. */
const LINE_SHOWN = 500
/** The most looks at a log that never rests. */
const LOOKS = 8

/** Reads a log once it is at rest. php-fpm's master and a Docker daemon pass on lines only some milliseconds after the answer. */
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

/** The log without messages that a server always writes and that need no action. Pure. */
export function withoutNoise(log: string, noise: readonly string[]): string {
  return noise.reduce((text, pattern) => text.replace(new RegExp(pattern, 'gm'), ''), log)
}

const FRAME = /^#\d+ /
const PACKAGE_FRAME = /\/vendor\/|^#\d+ (\[internal function\]|\{main\})/
/** The number of top frames that are shown of every stack trace: the place of the error and its caller. */
const FRAMES_SHOWN = 2

/** The log with short stack traces: the top frames and the first frame outside vendor/. So the messages above them fit. Pure. */
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

/** A runtime's knowledge of its log. */
export interface LogKnowledge {
  /** Regular expressions for messages that the server always writes. */
  noise: readonly string[]
  /** The advice to show if a regular expression matches the log. */
  advice: readonly { log: string; say: string }[]
}

/** The end of a log for a message: its last lines, and advice about them. Pure. */
export function logEnd(log: string, { noise, advice }: LogKnowledge, lines: number): string {
  const tail = distinctTail(shortTraces(withoutNoise(log, noise)), lines)
  return [tail, ...advice.filter((known) => new RegExp(known.log).test(log)).map(({ say }) => say)].filter(Boolean).join('\n')
}

/** For servers other than the built-in ones. */
export const NOTHING_KNOWN: LogKnowledge = { noise: [], advice: [] }

/** The last lines. Of lines that differ only in numbers (times, ports, process IDs), only the last is kept. Pure. */
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

/** The last lines of a program's output, without empty lines. Pure. */
export function lastLines(text: string, count = 15): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.slice(-count).join('\n').trim() || 'no output'
}

/** The last line of a failed command's output, for the middle of a sentence. Pure. */
export function lastLine(text: string): string {
  return lastLines(text, 1).slice(0, 300)
}
