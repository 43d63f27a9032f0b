/** The life of a job: a private directory, clean-up in reverse order whatever happens, and an orderly stop on signals. */
import { killCommands } from './exec.ts'
import { removeLeftovers, scratch } from './scratch.ts'

export interface Job {
  /** Private; gone at the end. */
  directory: string
  /** Aborted by the first SIGINT or SIGTERM. */
  signal: AbortSignal
  say: (line: string) => void
  /** Registers work for the end, last registered first. */
  atEnd: (cleanUp: () => Promise<void>) => void
}

export async function withJob<T>(say: (line: string) => void, work: (job: Job) => Promise<T>): Promise<T> {
  for (const directory of removeLeftovers()) say(`removed what a killed job left: ${directory}`)
  const cancel = new AbortController()
  const onSignal = (name: NodeJS.Signals): void => {
    // A second signal means now: the exit hook of scratch.ts kills and removes what is left.
    if (cancel.signal.aborted) process.exit(130)
    say(`${name}: stopping; once more stops at once`)
    cancel.abort()
    // A build or an installation would go on for minutes; what waits for it then ends, and the clean-up begins.
    killCommands()
  }
  const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const name of signals) process.on(name, onSignal)
  const ends: (() => Promise<void>)[] = []
  try {
    return await work({ directory: scratch(), signal: cancel.signal, say, atEnd: (cleanUp) => ends.push(cleanUp) })
  } finally {
    for (const end of ends.reverse()) {
      await end().catch((error) => say(`clean-up: ${error instanceof Error ? error.message : error}`))
    }
    for (const name of signals) process.off(name, onSignal)
  }
}
