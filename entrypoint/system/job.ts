/** The lifetime of a job: its private directory, its clean-up in every case, in reverse order, and an orderly stop. */
import { setMaxListeners } from 'node:events'
import type { Cache } from './cache.ts'
import { killCommands } from './exec.ts'
import { Patience } from './machine.ts'
import { removeLeftovers, scratch } from './scratch.ts'

export interface Job {
  /** A private directory, removed at the end. */
  directory: string
  /** Aborted by stopJobs(). */
  signal: AbortSignal
  say: (line: string) => void
  /** Waits for an idle machine. */
  patience: Patience
  /** The cache between jobs; undefined outside Actions, where installed software stays. */
  cache?: Cache | undefined
  /** Registers clean-up work. The last registered runs first. */
  atEnd: (cleanUp: () => Promise<void>) => void
}

interface Running {
  cancel: AbortController
  say: Job['say']
}

const running = new Set<Running>()

/**
 * Asks all running jobs to stop.
 *
 * @param reason for people, such as the name of a signal
 * @returns whether a job was asked; false if none runs, or if all were asked before
 */
export function stopJobs(reason: string): boolean {
  const asked = [...running].filter(({ cancel }) => !cancel.signal.aborted)
  for (const { cancel, say } of asked) {
    say(`${reason}: stopping; a second signal stops at once`)
    cancel.abort()
  }
  // A build or an installation could run for minutes. Once it is killed, the job that waits for it ends and cleans up.
  if (asked.length > 0) killCommands()
  return asked.length > 0
}

export async function withJob<T>(say: (line: string) => void, work: (job: Job) => Promise<T>, cache?: Cache): Promise<T> {
  for (const directory of removeLeftovers()) say(`removed the leftovers of a killed job: ${directory}`)
  const cancel = new AbortController()
  // Each arm of a quad listens. Node warns of more than ten.
  setMaxListeners(0, cancel.signal)
  const own: Running = { cancel, say }
  running.add(own)
  const ends: (() => Promise<void>)[] = []
  try {
    const atEnd: Job['atEnd'] = (cleanUp) => ends.push(cleanUp)
    return await work({ directory: scratch(), signal: cancel.signal, say, patience: new Patience(), cache, atEnd })
  } finally {
    for (const end of ends.reverse()) {
      await end().catch((error) => say(`clean-up: ${error instanceof Error ? error.message : error}`))
    }
    running.delete(own)
  }
}
