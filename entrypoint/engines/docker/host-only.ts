/** What only the host engine serves: refused before a container is started. */
import { InputError } from '../../system/errors.ts'
import { needsUpstream } from '../shared/upstream.ts'
import type { DockerJob } from './job.ts'

/** @throws InputError with what is allowed instead */
export function refuseHostOnly(job: Pick<DockerJob, 'served'>): void {
  if (needsUpstream(job.served)) {
    throw new InputError(
      'workloads: the slow upstream is a process of this machine, which containers do not reach. Allowed: engine: host, or workloads that do not call it',
    )
  }
}
