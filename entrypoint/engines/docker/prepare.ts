/** Prepares a job: its network, its database, and an image for each revision with packages and setup done. */

import type { Revision } from '../../config/experiment.ts'
import { askedVersions } from '../../config/extension-version.ts'
import type { Checkout } from '../../revisions/work-trees.ts'
import { allOf } from '../../system/settle-all.ts'
import { composerCommand } from '../shared/composer.ts'
import { Database, type DatabaseServer } from '../shared/database.ts'
import { appEnvironment } from '../shared/environment.ts'
import type { Relay } from '../shared/relay.ts'
import { RevisionDatabases } from '../shared/revision-databases.ts'
import { distant } from '../shared/services.ts'
import { containerDatabase, databaseImage, databaseName } from './container/database-server.ts'
import { CONFINED } from './container/limits.ts'
import { ContainerMachine } from './container/machine.ts'
import { findRoute, type Route } from './container/route.ts'
import { runSteps } from './container/steps.ts'
import { docker, command as dockerCommand, surroundings } from './daemon/docker.ts'
import { removeBuilder } from './image/build-cache.ts'
import { BIN, OURS, portsOf, quoted } from './image/dockerfiles.ts'
import { buildImage, type Image } from './image/images.ts'
import { checkoutsOf, type DockerJob, placeOf, servedBy } from './job.ts'

export interface Prepared {
  images: Partial<Record<Revision, Image>>
  database: Database | undefined
  databases: RevisionDatabases | undefined
  /** Where `latency` asks for one. */
  relay: Relay | undefined
  /** How this machine reaches a container. */
  route: Route
  /** The daemon's machine. */
  machine: ContainerMachine
  /** `revision: arguments` of Composer, where it ran. */
  composerRan: string[]
}

/** @throws MeasurementError or InputError; what is there by then goes with removeJob() */
export async function prepareJob(job: DockerJob): Promise<Prepared> {
  const { daemon, labels, network, served } = job
  await docker(['network', 'create', ...labels.flags, network])
  const [own, images] = await allOf([startDatabase(job), buildImages(job)])
  await removeBuilder()
  const command = relayCommand(job, (images.base ?? images.head) as Image)
  const { server, relay } = await distant({ server: own?.server, redis: undefined }, [], job.rules, command, surroundings())
  const database = server && new Database(server, job.directory)
  const databases = database && new RevisionDatabases(database, served)
  const composerRan: string[] = []
  for (const checkout of checkoutsOf(job)) {
    composerRan.push(...(await prepareRevision(job, checkout, images[checkout.revision] as Image, databases)))
  }
  const { tag } = images.head as Image
  const route = own?.route ?? (await findRoute(daemon.host, labels, network, tag))
  const machine = await ContainerMachine.start(labels, tag, daemon)
  return { images, database, databases, relay, route, machine, composerRan }
}

/** Of the app, in each container that runs its code. */
export function environmentOf(
  job: DockerJob,
  revision: Revision,
  { scanned }: Image,
  databases: RevisionDatabases | undefined,
): Record<string, string> {
  return appEnvironment(servedBy(job, revision), {}, `${scanned}:${OURS}/ini`, { database: databases?.app(revision) })
}

async function startDatabase(job: DockerJob): Promise<{ server: DatabaseServer; route: Route } | undefined> {
  if (!job.hasDatabase) return undefined
  const { rules, daemon, labels, network, directory, served, cpus, say } = job
  say('starting the database')
  const image = await databaseImage(rules, (served.base ?? servedBy(job, 'head')).docker.base, directory, job)
  const route = await findRoute(daemon.host, labels, network, image)
  const ports = portsOf(servedBy(job, 'head').modes)
  const server = await containerDatabase({ rules, daemon, labels, network, route, ports, image, cpus: cpus.database })
  return { server, route }
}

/** Where the arms are, since they reach the database there; on the CPUs of the database. */
function relayCommand({ labels, cpus }: DockerJob, { tag }: Image): (args: string[]) => string[] {
  return (args) =>
    dockerCommand([
      ...['run', '--interactive', '--rm', '--name', `async-php-bench-${labels.job}-relay`, ...labels.flags],
      ...['--network', `container:${databaseName(labels)}`, ...CONFINED, '--read-only', '--memory', '256m'],
      ...(cpus.database ? ['--cpuset-cpus', cpus.database] : []),
      ...['--entrypoint', `${BIN}/php`, tag, '-n', `${OURS}/relay.php`, ...args],
    ])
}

async function buildImages(job: DockerJob): Promise<Partial<Record<Revision, Image>>> {
  const { rules, directory, labels, hasDatabase, cpus, say, cache } = job
  const images: Partial<Record<Revision, Image>> = {}
  for (const checkout of checkoutsOf(job)) {
    const served = servedBy(job, checkout.revision)
    const request = {
      served,
      connections: rules.connections,
      checkout,
      hasDatabase,
      cpus: cpus.appCpus,
      asked: askedVersions(rules),
      labels,
      directory,
      say,
      cache,
    }
    images[checkout.revision] = await buildImage(request)
  }
  return images
}

/** @returns what Composer did */
async function prepareRevision(
  job: DockerJob,
  { revision, directory }: Checkout,
  image: Image,
  databases: RevisionDatabases | undefined,
): Promise<string[]> {
  await databases?.create(revision)
  const composer = image.isCheckout ? composerCommand(directory) : undefined
  const steps = [...(composer ? [['composer', ...composer].map(quoted).join(' ')] : []), ...servedBy(job, revision).setup]
  if (steps.length) {
    const environment = environmentOf(job, revision, image, databases)
    const { labels, memory, daemon, say } = job
    await runSteps(steps, { revision, image, environment, place: placeOf(job), labels, memory, cgroup: daemon.cgroup, say })
  }
  await databases?.snapshot(revision)
  return composer ? [`${revision}: ${composer.join(' ')}`] : []
}
