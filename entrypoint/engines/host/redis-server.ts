/** The host engine's Redis or Valkey: private servers as child processes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Revision } from '../../config/experiment.ts'
import { installedRedis } from '../../provision/redis-programs.ts'
import { apart, bare } from '../../system/environment.ts'
import { MeasurementError } from '../../system/errors.ts'
import { exec, type Finished, printed } from '../../system/exec.ts'
import { pinned } from '../../system/machine.ts'
import { ProcessGroup } from '../../system/process-group.ts'
import { subdirectory } from '../../system/scratch.ts'
import { allOf } from '../../system/settle-all.ts'
import { lastLines } from '../../system/tail.ts'
import { REDIS_OPTIONS, REDIS_SETTINGS, type Redis } from '../shared/redis.ts'
import { freePort } from './ports.ts'

interface Started {
  port: number
  group: ProcessGroup
  log: string
}

const START_LIMIT_MS = 30_000

/**
 * @param cpus the CPUs that they are bound to, if any
 * @throws MeasurementError with the server's log if one does not start
 */
export async function privateRedis(revisions: readonly Revision[], directory: string, cpus: string | undefined): Promise<Redis> {
  const programs = installedRedis()
  if (!programs) throw new MeasurementError('redis: its programs are no longer on this machine.')
  const ask = ({ port }: Started, ...words: string[]): Promise<Finished> =>
    exec([programs.client, '-h', '127.0.0.1', '-p', String(port), ...words], { ...apart(), timeoutMs: 30_000 })
  const servers = new Map<Revision, Started>()
  const of = (revision: Revision): Started => servers.get(revision) as Started
  const command = async (revision: Revision, words: string[], expected: string): Promise<void> => {
    const { group, log } = of(revision)
    const said = await ask(of(revision), ...words)
    if (said.stdout.trim() === expected) return
    const why = group.ended ? `it ended (${group.ended}):\n${lastLines(readFileSync(log, 'utf8'))}` : lastLines(printed(said))
    throw new MeasurementError(`Redis of ${revision} does not answer to ${words[0]}: ${why}`)
  }
  const start = async (revision: Revision): Promise<void> => {
    const home = subdirectory(directory, `redis-${revision}`)
    const port = await freePort()
    const log = join(directory, `redis-${revision}.log`)
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--daemonize', 'no', '--dir', home, ...REDIS_OPTIONS]
    const group = await ProcessGroup.start(pinned([programs.server, ...options], cpus), { cwd: home, env: bare(), log })
    servers.set(revision, { port, group, log })
    const deadline = Date.now() + START_LIMIT_MS
    while ((await ask(of(revision), 'PING')).stdout.trim() !== 'PONG') {
      if (group.ended || Date.now() > deadline) await command(revision, ['PING'], 'PONG')
      await sleep(20)
    }
  }
  await allOf(revisions.map(start))
  return {
    description: {
      version: (await exec([programs.server, '--version'], apart())).stdout.trim(),
      servers: 'one per revision',
      settings: REDIS_SETTINGS,
    },
    reached: (revision) => ({ host: '127.0.0.1', port: of(revision).port }),
    empty: (revision) => command(revision, ['FLUSHALL'], 'OK'),
    assertAlive: async () => void (await allOf(revisions.map((revision) => command(revision, ['PING'], 'PONG')))),
    stop: async () => void (await allOf([...servers.values()].map(({ group }) => group.stop()))),
  }
}
