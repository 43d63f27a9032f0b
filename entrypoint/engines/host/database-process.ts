/** Runs the process of a private database: starts it, waits until it answers, watches and stops it. */
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { apart, bare } from '../../system/environment.ts'
import { MeasurementError } from '../../system/errors.ts'
import { exec } from '../../system/exec.ts'
import { ProcessGroup } from '../../system/process-group.ts'
import { lastLines } from '../../system/tail.ts'
import type { DatabaseServer } from '../shared/database.ts'

const START_LIMIT_S = 60

export interface DatabaseProcess {
  /** Starts the server. */
  command: string[]
  home: string
  log: string
  /** The server's socket, which exists before it answers. */
  socket: string
  /** Succeeds once the server answers. */
  question: string[]
}

/** @throws MeasurementError with the end of the log if the server does not answer in time */
export async function startDatabase({
  command,
  home,
  log,
  socket,
  question,
}: DatabaseProcess): Promise<Pick<DatabaseServer, 'lost' | 'stop'>> {
  const server = await ProcessGroup.start(command, { cwd: home, env: bare(), log })
  const deadline = Date.now() + START_LIMIT_S * 1000
  while (!existsSync(socket) || (await exec(question, apart())).code !== 0) {
    if (server.ended || Date.now() > deadline) {
      await server.stop()
      throw new MeasurementError(`The database did not start (${server.ended ?? `no answer in ${START_LIMIT_S} s`}):\n${endOf(log)}`)
    }
    await sleep(20)
  }
  return {
    lost: async () => (server.ended ? `The database server died (${server.ended}):\n${endOf(log)}` : undefined),
    stop: () => server.stop(5000),
  }
}

function endOf(log: string): string {
  return lastLines(readFileSync(log, 'utf8'))
}
