/** The container of one arm: its environment, and its share of the machine. */
import type { Arm } from '../../config/experiment.ts'
import { modeIn } from '../../config/rules.ts'
import type { Purpose } from '../engine.ts'
import { benchPaths, benchVariables, countedConnections, purposeVariables, workersOf } from '../shared/bench-variables.ts'
import { ContainerServer } from './container/server.ts'
import { OURS, portOf, SCRATCH } from './image/dockerfiles.ts'
import type { Image } from './image/images.ts'
import { type DockerJob, placeOf, servedBy } from './job.ts'
import { environmentOf, type Prepared } from './prepare.ts'

/**
 * @param isReadOnly whether its root file system is read-only
 * @param isCounted whether it has a single PHP worker, under Valgrind
 * @throws InputError if the app is refused; MeasurementError if its server does not answer
 */
export async function startArm(
  job: DockerJob,
  { images, databases, redis, route }: Prepared,
  arm: Arm,
  { purpose, isReadOnly, isCounted = false }: { purpose: Purpose; isReadOnly: boolean; isCounted?: boolean },
): Promise<ContainerServer> {
  const { labels, cpus, memory, daemon } = job
  const { revision, mode } = arm
  const runtime = mode.via === 'runtime' ? mode.runtime : undefined
  const counted = runtime && isCounted ? { connections: countedConnections(runtime, job.rules.connections) } : {}
  const rules = { ...job.rules, ...counted }
  const served = servedBy(job, revision)
  const image = images[revision] as Image
  const { tag, project, entry } = image
  const paths = benchPaths(entry, served.workloads, {
    project,
    directory: `${SCRATCH}/files`,
    handlerOf: (name) => `${OURS}/workloads/${name}/handler.php`,
  })
  return ContainerServer.start(modeIn(served, mode), {
    revision,
    image: tag,
    project,
    place: placeOf(job),
    // The ports depend on the job's modes, which are head's.
    port: portOf(revision, mode, servedBy(job, 'head').modes),
    labels,
    route,
    environment: {
      ...environmentOf(job, revision, image, { databases, redis }),
      ...benchVariables(paths, rules, { database: databases?.bench(revision) }),
      ...purposeVariables(purpose, rules),
    },
    workers: runtime && !isCounted ? workersOf(runtime, rules.connections, cpus.appCpus, purpose) : 1,
    isCounted,
    cpus: cpus.app,
    memory,
    isReadOnly,
    cgroup: daemon.cgroup,
  })
}
