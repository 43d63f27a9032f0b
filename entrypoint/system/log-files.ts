/** Keeps logs among a job's results, as one file per log. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The results' folder for the logs of servers that failed. */
export const LOGS = 'logs'

/** Writes one file per log that is not empty. Files of an earlier job are removed. @param out the folder for results */
export function writeLogs(out: string, logs: readonly { name: string; log: string }[]): void {
  const directory = join(out, LOGS)
  rmSync(directory, { recursive: true, force: true })
  for (const { name, log } of logs) {
    if (!log) continue
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, `${name}.log`), `${log}\n`)
  }
}
