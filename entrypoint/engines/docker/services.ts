/** Starts a job's services as containers, in order: the first owns the network namespace of all. */
import type { Revision } from '../../config/experiment.ts'
import { allOf } from '../../system/settle-all.ts'
import type { DatabaseServer } from '../shared/database.ts'
import type { Redis } from '../shared/redis.ts'
import { databaseContainer, databaseName, kindOf, storageOf } from './container/database-container.ts'
import { redisContainers } from './container/redis-containers.ts'
import { findRoute, type Route } from './container/route.ts'
import { portsOf } from './image/dockerfiles.ts'
import { REDIS, serviceImage } from './image/service-image.ts'
import { baseOf, type DockerJob, placeOf, revisionsOf, servedBy } from './job.ts'

export interface ContainerServices {
  server: DatabaseServer | undefined
  redis: Redis | undefined
  /** How this machine reaches the containers. */
  route: Route
}

/** @returns undefined if the job needs none @throws MeasurementError with the server's log if one does not start */
export async function startServices(job: DockerJob): Promise<ContainerServices | undefined> {
  const { owner } = placeOf(job)
  if (owner === undefined) return undefined
  const { onServer, rules, daemon, labels, network, cpus, say } = job
  if (onServer) say('starting the database')
  if (rules.redis) say('starting Redis')
  const base = baseOf(job)
  const [forDatabase, forRedis] = await allOf([
    onServer && serviceImage(kindOf(onServer), rules.limits['database-image'], base, job),
    rules.redis ? serviceImage(REDIS, rules.limits['redis-image'], base, job) : undefined,
  ])
  const route = await findRoute(daemon.host, labels, network, (forDatabase ?? forRedis) as string)
  const ports = portsOf(servedBy(job, 'head').modes)
  const neighbourhood = { labels, network, owner, route, ports, cpus: cpus.database }
  const server =
    onServer && forDatabase !== undefined
      ? await databaseContainer(
          onServer,
          { name: databaseName(labels), image: forDatabase, storage: storageOf(rules, daemon) },
          neighbourhood,
        )
      : undefined
  const redis = forRedis === undefined ? undefined : await redisContainers(revisionsOf(job) as Revision[], forRedis, neighbourhood)
  return { server, redis, route }
}
