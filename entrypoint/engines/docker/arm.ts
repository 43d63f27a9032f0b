/** The container of one arm: its environment, and its share of the machine. */
import type { Arm } from '../../config/experiment.ts'
import { modeIn } from '../../config/rules.ts'
import type { Purpose } from '../engine.ts'
import { benchPaths, benchVariables, purposeVariables, workersOf } from '../shared/bench-variables.ts'
import { ContainerServer } from './container/server.ts'
import { OURS, portOf, SCRATCH } from './image/dockerfiles.ts'
import type { Image } from './image/images.ts'
import { type DockerJob, placeOf, servedBy } from './job.ts'
import { environmentOf, type Prepared } from './prepare.ts'

/**
 * @param isReadOnly whether its root file system is read-only
 * @throws InputError if the app is refused; MeasurementError if its server does not answer
 */
export async function startArm(
  job: DockerJob,
  { images, databases, redis, route }: Prepared,
  arm: Arm,
  { purpose, isReadOnly }: { purpose: Purpose; isReadOnly: boolean },
): Promise<ContainerServer> {
  const { rules, labels, cpus, memory, daemon } = job
  const { revision, mode } = arm
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
    workers: mode.via === 'runtime' ? workersOf(mode.runtime, rules.connections, cpus.appCpus, purpose) : 1,
    cpus: cpus.app,
    memory,
    isReadOnly,
    cgroup: daemon.cgroup,
  })
}
