/** The services of the app: a database, a Redis for each revision, and the relay in front of them. */
import type { Revision } from '../../config/experiment.ts'
import type { Rules } from '../../config/rules.ts'
import type { Surroundings } from '../../system/environment.ts'
import { MeasurementError } from '../../system/errors.ts'
import type { DatabaseServer } from './database.ts'
import type { Redis } from './redis.ts'
import { Relay, type Target } from './relay.ts'

export interface Services {
  server: DatabaseServer | undefined
  redis: Redis | undefined
}

export interface DistantServices extends Services {
  /** The relay, if `latency` needs one. */
  relay: Relay | undefined
}

/**
 * The services as the app reaches them. Snapshots, restores and counters bypass the relay.
 *
 * @param command runs main.php of the relay with the given arguments
 */
export async function distant(
  { server, redis }: Services,
  revisions: readonly Revision[],
  { latency }: Pick<Rules, 'latency'>,
  command: (args: string[]) => string[],
  surroundings: Surroundings,
): Promise<DistantServices> {
  const targets: Target[] = [
    ...(server && latency.database !== undefined ? [{ ...server.access, delayMs: latency.database }] : []),
    ...(redis && latency.redis !== undefined
      ? revisions.map((revision) => ({ ...redis.reached(revision), delayMs: latency.redis as number }))
      : []),
  ]
  if (targets.length === 0) return { server, redis, relay: undefined }
  const relay = await Relay.before(targets, command, surroundings)
  return {
    server: server && behind(relay, server),
    redis: redis && latency.redis !== undefined ? redisBehind(relay, redis, latency.redis) : redis,
    relay,
  }
}

function behind(relay: Relay, server: DatabaseServer): DatabaseServer {
  const { host, port, delayMs } = relay.reached(server.access)
  return {
    ...server,
    access: { ...server.access, host, port },
    description: { ...server.description, ...(delayMs === undefined ? {} : { latency_ms: delayMs }) },
    lost: async () => (await server.lost()) ?? relay.over,
  }
}

function redisBehind(relay: Relay, redis: Redis, delayMs: number): Redis {
  return {
    ...redis,
    description: { ...redis.description, latency_ms: delayMs },
    reached: (revision) => relay.reached(redis.reached(revision)),
    assertAlive: async () => {
      await redis.assertAlive()
      if (relay.over) throw new MeasurementError(relay.over)
    },
  }
}
