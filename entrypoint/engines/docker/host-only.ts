/** Refuses what only the host engine serves, before a container is started. */
import { InputError } from '../../system/errors.ts'
import { needsUpstream } from '../shared/upstream.ts'
import { type DockerJob, servedBy } from './job.ts'

/** @throws InputError with what is allowed instead */
export function refuseHostOnly(job: Pick<DockerJob, 'served'>): void {
  if (needsUpstream(job.served)) {
    throw new InputError(
      'workloads: the slow upstream is a process of this machine, which containers do not reach. Allowed: engine: host, or workloads that do not call it',
    )
  }
  const other = servedBy(job as DockerJob, 'head').modes.find((mode) => mode.via === 'runtime' && mode.runtime.language !== 'php')
  if (other) throw new InputError(`modes: ${other.name} is not in the image of a PHP app. Allowed: engine: host, or modes that run PHP`)
}
