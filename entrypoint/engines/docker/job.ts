/** One job on a daemon: what it serves, the names of its objects, and the shares of its containers. */
import { randomBytes } from 'node:crypto'
import { databaseOf, isOnServer, type OnServer } from '../../config/database.ts'
import type { Revision } from '../../config/experiment.ts'
import type { Served } from '../../config/rules.ts'
import type { Checkout } from '../../revisions/work-trees.ts'
import { type CpuSets, cpuSets } from '../../system/machine.ts'
import type { EngineOptions } from '../engine.ts'
import { databaseName } from './container/database-container.ts'
import { redisName } from './container/redis-containers.ts'
import type { Place } from './container/route.ts'
import type { Daemon } from './daemon/docker.ts'
import { type Labels, labelsOf } from './daemon/labels.ts'

export interface DockerEngineOptions extends EngineOptions {
  daemon: Daemon
}

export interface DockerJob extends DockerEngineOptions {
  id: string
  labels: Labels
  network: string
  /** The app's database, if it is on a server. */
  onServer: OnServer | undefined
  cpus: CpuSets
  /** The memory of each arm and of setup, such as 2048m. */
  memory: string
}

export function jobOf(options: DockerEngineOptions): DockerJob {
  const { rules, daemon } = options
  const id = randomBytes(4).toString('hex')
  const choice = databaseOf(rules.database)
  const onServer = isOnServer(choice) ? choice : undefined
  return {
    ...options,
    id,
    labels: labelsOf(id),
    network: `async-php-bench-${id}`,
    onServer,
    cpus: cpuSets([...Array(daemon.cpus).keys()], { database: onServer !== undefined || rules.redis, load: daemon.host === undefined }),
    // Half of the machine, the same for every arm. The other half is for the database and the load.
    memory: rules.limits.memory ?? `${Math.floor(daemon.memoryBytes / 2 ** 21)}m`,
  }
}

/** What a revision of the job serves. */
export function servedBy({ served }: DockerJob, revision: Revision): Served {
  return served[revision] as Served
}

export function checkoutsOf({ checkouts }: DockerJob): Checkout[] {
  return Object.values(checkouts)
}

export function revisionsOf(job: DockerJob): Revision[] {
  return checkoutsOf(job).map(({ revision }) => revision)
}

/** The image on which our own ones are built: that of base, since it judges head. */
export function baseOf(job: DockerJob): string {
  return (job.served.base ?? servedBy(job, 'head')).docker.base
}

/** The place of its containers: the network namespace of its first service, if there is one. */
export function placeOf(job: DockerJob): Place {
  const { network, labels, onServer, rules } = job
  const first = revisionsOf(job)[0] as Revision
  return { network, owner: onServer ? databaseName(labels) : rules.redis ? redisName(labels, first) : undefined }
}
