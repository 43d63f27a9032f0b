/** Starts a job's services on this machine: its database, a Redis per revision, the relay in front of them, and the slow upstream. */
import { join } from 'node:path'
import { databaseOf, isOnServer } from '../../config/database.ts'
import type { Revision } from '../../config/experiment.ts'
import { apart } from '../../system/environment.ts'
import { pinned } from '../../system/machine.ts'
import { allOf } from '../../system/settle-all.ts'
import type { EngineOptions } from '../engine.ts'
import { Database } from '../shared/database.ts'
import type { Redis } from '../shared/redis.ts'
import { RELAY, Relay } from '../shared/relay.ts'
import { RevisionDatabases } from '../shared/revision-databases.ts'
import { distant } from '../shared/services.ts'
import { SIDECARS } from '../shared/sidecar.ts'
import { needsUpstream, UPSTREAM, Upstream } from '../shared/upstream.ts'
import { databaseServer, memoryHasRoom } from './database-server.ts'
import { privateRedis } from './redis-server.ts'
import { SqliteFiles } from './sqlite-files.ts'

/** The services. Those that the job does not need are undefined. */
export interface HostServices {
  database: Database | undefined
  databases: RevisionDatabases | undefined
  sqlite: SqliteFiles | undefined
  redis: Redis | undefined
  relay: Relay | undefined
  upstream: Upstream | undefined
}

/**
 * @param php the path of PHP, which runs the relay and the upstream
 * @param cpus the CPUs that the services are bound to, if any
 * @throws MeasurementError with a server's log if it does not start
 */
export async function startServices(options: EngineOptions, php: string, cpus: string | undefined): Promise<HostServices> {
  const { checkouts, directory, served, rules, say } = options
  const revisions = Object.keys(checkouts) as Revision[]
  const choice = databaseOf(rules.database)
  if (isOnServer(choice)) say('starting the database')
  if (rules.redis) say('starting Redis')
  const [server, redis] = await allOf([
    isOnServer(choice) ? databaseServer(choice, { directory, cpus }) : undefined,
    rules.redis ? privateRedis(revisions, directory, cpus) : undefined,
  ])
  const command = (program: string, args: string[] = []): string[] => pinned([php, '-n', join(SIDECARS, program), ...args], cpus)
  const reached = await distant({ server, redis }, revisions, rules, (targets) =>
    Relay.before(targets, (args) => command(RELAY, args), apart()),
  )
  const database = reached.server && new Database(reached.server, directory)
  return {
    database,
    databases: database && new RevisionDatabases(database, served),
    sqlite: choice.from === 'file' ? new SqliteFiles(directory, memoryHasRoom()) : undefined,
    redis: reached.redis,
    relay: reached.relay,
    upstream: needsUpstream(served) ? await Upstream.start(command(UPSTREAM), apart()) : undefined,
  }
}

/** Ends the servers and removes the files. */
export async function stopServices({ database, sqlite, redis, relay, upstream }: HostServices): Promise<void> {
  relay?.close()
  upstream?.close()
  await allOf([database?.close(), redis?.stop()])
  sqlite?.remove()
}
