/** The life of a job: a private directory, clean-up in reverse order whatever happens, and an orderly stop. */
import type { Cache } from './cache.ts'
import { killCommands } from './exec.ts'
import { removeLeftovers, scratch } from './scratch.ts'

export interface Job {
  /** Private; gone at the end. */
  directory: string
  /** Aborted by stopJobs(). */
  signal: AbortSignal
  say: (line: string) => void
  /** What earlier jobs prepared; undefined outside of Actions, where what was installed stays. */
  cache?: Cache | undefined
  /** Registers work for the end, last registered first. */
  atEnd: (cleanUp: () => Promise<void>) => void
}

interface Running {
  cancel: AbortController
  say: Job['say']
}

const running = new Set<Running>()

/**
 * Asks the jobs that run to stop.
 *
 * @param reason for people, such as the name of a signal
 * @returns false if no job runs, or each was asked before: nobody is left who would stop
 */
export function stopJobs(reason: string): boolean {
  const asked = [...running].filter(({ cancel }) => !cancel.signal.aborted)
  for (const { cancel, say } of asked) {
    say(`${reason}: stopping; a second signal stops at once`)
    cancel.abort()
  }
  // A build or an installation would go on for minutes; what waits for it then ends, and the clean-up begins.
  if (asked.length > 0) killCommands()
  return asked.length > 0
}

export async function withJob<T>(say: (line: string) => void, work: (job: Job) => Promise<T>, cache?: Cache): Promise<T> {
  for (const directory of removeLeftovers()) say(`removed the leftovers of a killed job: ${directory}`)
  const cancel = new AbortController()
  const own: Running = { cancel, say }
  running.add(own)
  const ends: (() => Promise<void>)[] = []
  try {
    return await work({ directory: scratch(), signal: cancel.signal, say, cache, atEnd: (cleanUp) => ends.push(cleanUp) })
  } finally {
    for (const end of ends.reverse()) {
      await end().catch((error) => say(`clean-up: ${error instanceof Error ? error.message : error}`))
    }
    running.delete(own)
  }
}
