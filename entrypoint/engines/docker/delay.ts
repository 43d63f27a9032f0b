/** Delays the services' answers as `latency` says: in the kernel of the daemon's machine, or by a relay where it cannot. */
import { messageOf } from '../../system/errors.ts'
import { lastLines } from '../../system/tail.ts'
import { RELAY, Relay, type Target } from '../shared/relay.ts'
import type { Delay } from '../shared/services.ts'
import { CONFINED } from './container/limits.ts'
import { delayInKernel } from './container/netem.ts'
import { command, surroundings } from './daemon/docker.ts'
import { BIN, OURS } from './image/dockerfiles.ts'
import { packageImage } from './image/package-image.ts'
import { baseOf, type DockerJob, placeOf } from './job.ts'

/** An image with `tc`, or why there is none. */
export type TcImage = { tag: string } | { missing: string }

/** @returns undefined if the job delays nothing */
export async function tcImage(job: DockerJob): Promise<TcImage | undefined> {
  if (Object.keys(job.rules.latency).length === 0) return undefined
  try {
    return { tag: await packageImage(baseOf(job), 'iproute2', '`tc`', job) }
  } catch (error) {
    return { missing: lastLines(messageOf(error), 1) }
  }
}

/** @param php an image with PHP, which runs the relay @throws MeasurementError if no relay starts either */
export async function delayed(job: DockerJob, targets: readonly Target[], tc: TcImage | undefined, php: string): Promise<Delay> {
  const owner = placeOf(job).owner as string
  const why = tc && 'tag' in tc ? await delayInKernel(targets, { image: tc.tag, owner, labels: job.labels }) : tc?.missing
  if (why === undefined) {
    job.say('latency: the kernel delays the answers, by tc netem')
    return 'netem'
  }
  job.say(`latency: a relay delays the answers, because the kernel cannot (tc: ${why})`)
  return Relay.before(targets, relayCommand(job, owner, php), surroundings())
}

/** Runs the relay in the namespace of the arms, because they reach the services there, and on the services' CPUs. */
function relayCommand({ labels, cpus }: DockerJob, owner: string, tag: string): (args: string[]) => string[] {
  return (args) =>
    command([
      ...['run', '--interactive', '--rm', '--name', `async-php-bench-${labels.job}-relay`, ...labels.flags],
      ...['--network', `container:${owner}`, ...CONFINED, '--read-only', '--memory', '256m'],
      ...(cpus.database ? ['--cpuset-cpus', cpus.database] : []),
      ...['--entrypoint', `${BIN}/php`, tag, '-n', `${OURS}/sidecars/${RELAY}`, ...args],
    ])
}
