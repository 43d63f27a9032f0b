/** Prepares a job: its network, its services, and one image per revision with packages installed and setup done. */

import { databaseOf } from '../../config/database.ts'
import type { Revision } from '../../config/experiment.ts'
import { askedVersions } from '../../config/extension-version.ts'
import { pdoOf } from '../../provision/database-needs.ts'
import { needsValgrind } from '../../provision/scope.ts'
import type { Checkout } from '../../revisions/work-trees.ts'
import { allOf } from '../../system/settle-all.ts'
import { composerCommand } from '../shared/composer.ts'
import { Database } from '../shared/database.ts'
import { appEnvironment } from '../shared/environment.ts'
import type { Redis } from '../shared/redis.ts'
import type { Relay } from '../shared/relay.ts'
import { RevisionDatabases } from '../shared/revision-databases.ts'
import { distant } from '../shared/services.ts'
import { SQLITE_FILE } from '../shared/sqlite.ts'
import { ContainerMachine } from './container/machine.ts'
import { findRoute, type Route } from './container/route.ts'
import { runSteps } from './container/steps.ts'
import { docker } from './daemon/docker.ts'
import { delayed, tcImage } from './delay.ts'
import { removeBuilder } from './image/build-cache.ts'
import { OPEN_SQLITE, OURS, quoted, SQLITE } from './image/dockerfiles.ts'
import { buildImage, type Image } from './image/images.ts'
import { checkoutsOf, type DockerJob, placeOf, revisionsOf, servedBy } from './job.ts'
import { startServices } from './services.ts'

export interface Prepared {
  images: Partial<Record<Revision, Image>>
  database: Database | undefined
  databases: RevisionDatabases | undefined
  /** The address for the app. */
  redis: Redis | undefined
  /** The relay, if `latency` needs one. */
  relay: Relay | undefined
  /** How this machine reaches a container. */
  route: Route
  /** The daemon's machine. */
  machine: ContainerMachine
  /** `revision: arguments` for each run of Composer. */
  composerRan: string[]
}

/** @throws MeasurementError or InputError; removeJob() removes what exists by then */
export async function prepareJob(job: DockerJob): Promise<Prepared> {
  const { daemon, labels, network, served } = job
  await docker(['network', 'create', ...labels.flags, network])
  const [own, images, tc] = await allOf([startServices(job), buildImages(job), tcImage(job)])
  await removeBuilder()
  const php = ((images.base ?? images.head) as Image).tag
  const near = { server: own?.server, redis: own?.redis }
  const { server, redis, relay } = await distant(near, revisionsOf(job), job.rules, (targets) => delayed(job, targets, tc, php))
  const database = server && new Database(server, job.directory)
  const databases = database && new RevisionDatabases(database, served)
  const composerRan: string[] = []
  for (const checkout of checkoutsOf(job)) {
    composerRan.push(...(await prepareRevision(job, checkout, images[checkout.revision] as Image, { databases, redis })))
  }
  const { tag } = images.head as Image
  const route = own?.route ?? (await findRoute(daemon.host, labels, network, tag))
  const machine = await ContainerMachine.start(labels, tag, daemon)
  return { images, database, databases, redis, relay, route, machine, composerRan }
}

/** The app's variables, for each container that runs its code. */
export function environmentOf(
  job: DockerJob,
  revision: Revision,
  { scanned }: Image,
  { databases, redis }: Pick<Prepared, 'databases' | 'redis'>,
): Record<string, string> {
  return appEnvironment(servedBy(job, revision), {}, `${scanned}:${OURS}/ini`, {
    database: databases?.app(revision),
    sqlite: job.rules.database === 'sqlite' ? `${SQLITE}/${SQLITE_FILE}` : undefined,
    redis: redis?.reached(revision),
  })
}

async function buildImages(job: DockerJob): Promise<Partial<Record<Revision, Image>>> {
  const { rules, directory, labels, cpus, say, cache } = job
  const images: Partial<Record<Revision, Image>> = {}
  for (const checkout of checkoutsOf(job)) {
    const served = servedBy(job, checkout.revision)
    const request = {
      served,
      connections: rules.connections,
      checkout,
      pdo: pdoOf(databaseOf(rules.database)),
      isOnFile: rules.database === 'sqlite',
      cpus: cpus.appCpus,
      asked: askedVersions(rules),
      valgrind: needsValgrind(rules),
      labels,
      directory,
      say,
      cache,
    }
    images[checkout.revision] = await buildImage(request)
  }
  return images
}

/** @returns which Composer command ran */
async function prepareRevision(
  job: DockerJob,
  { revision, directory }: Checkout,
  image: Image,
  services: Pick<Prepared, 'databases' | 'redis'>,
): Promise<string[]> {
  const { databases } = services
  await databases?.create(revision)
  const composer = image.isCheckout ? composerCommand(directory) : undefined
  const steps = [...(composer ? [['composer', ...composer].map(quoted).join(' ')] : []), ...servedBy(job, revision).setup]
  if (steps.length) {
    const environment = environmentOf(job, revision, image, services)
    const { labels, memory, daemon, say } = job
    const last = job.rules.database === 'sqlite' ? OPEN_SQLITE : undefined
    await runSteps(steps, { last, revision, image, environment, place: placeOf(job), labels, memory, cgroup: daemon.cgroup, say })
  }
  await databases?.snapshot(revision)
  return composer ? [`${revision}: ${composer.join(' ')}`] : []
}
