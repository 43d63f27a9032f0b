/** The services of the app: a database, a Redis for each revision, and what delays their answers. */
import type { Revision } from '../../config/experiment.ts'
import type { Rules } from '../../config/rules.ts'
import { MeasurementError } from '../../system/errors.ts'
import type { DatabaseServer } from './database.ts'
import type { Redis } from './redis.ts'
import type { Relay, Target } from './relay.ts'

export interface Services {
  server: DatabaseServer | undefined
  redis: Redis | undefined
}

export interface DistantServices extends Services {
  /** The relay, if `latency` needs one. */
  relay: Relay | undefined
}

/** What delays the answers: a relay, through which the app reaches the services, or `netem` of the kernel on the direct way. */
export type Delay = Relay | 'netem'

/**
 * The services as the app reaches them. Snapshots, restores and counters bypass a relay.
 *
 * @param delayed delays the answers of these servers
 */
export async function distant(
  { server, redis }: Services,
  revisions: readonly Revision[],
  { latency }: Pick<Rules, 'latency'>,
  delayed: (targets: readonly Target[]) => Promise<Delay>,
): Promise<DistantServices> {
  const targets: Target[] = [
    ...(server && latency.database !== undefined ? [{ ...server.access, delayMs: latency.database }] : []),
    ...(redis && latency.redis !== undefined
      ? revisions.map((revision) => ({ ...redis.reached(revision), delayMs: latency.redis as number }))
      : []),
  ]
  if (targets.length === 0) return { server, redis, relay: undefined }
  const delay = await delayed(targets)
  return {
    server: server && latency.database !== undefined ? serverAway(server, latency.database, delay) : server,
    redis: redis && latency.redis !== undefined ? redisAway(redis, latency.redis, delay) : redis,
    relay: delay === 'netem' ? undefined : delay,
  }
}

function serverAway(server: DatabaseServer, delayMs: number, delay: Delay): DatabaseServer {
  const description = { ...server.description, ...described(delayMs, delay) }
  if (delay === 'netem') return { ...server, description }
  return {
    ...server,
    access: { ...server.access, ...delay.reached(server.access) },
    description,
    lost: async () => (await server.lost()) ?? delay.over,
  }
}

function redisAway(redis: Redis, delayMs: number, delay: Delay): Redis {
  const description = { ...redis.description, ...described(delayMs, delay) }
  if (delay === 'netem') return { ...redis, description }
  return {
    ...redis,
    description,
    reached: (revision) => delay.reached(redis.reached(revision)),
    assertAlive: async () => {
      await redis.assertAlive()
      if (delay.over) throw new MeasurementError(delay.over)
    },
  }
}

function described(delayMs: number, delay: Delay): Record<string, unknown> {
  return { latency_ms: delayMs, latency_by: delay === 'netem' ? delay : 'relay' }
}
