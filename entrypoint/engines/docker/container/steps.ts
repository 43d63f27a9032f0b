/** Installs packages and runs setup for a revision, in a container with its database. */

import type { Revision } from '../../../config/experiment.ts'
import { MeasurementError } from '../../../system/errors.ts'
import { printed } from '../../../system/exec.ts'
import { lastLines } from '../../../system/tail.ts'
import { docker, environmentFlags, tryDocker } from '../daemon/docker.ts'
import type { Labels } from '../daemon/labels.ts'
import type { Image } from '../image/images.ts'
import { limitFlags, type Share, setupCapabilities } from './limits.ts'
import type { Place } from './route.ts'

export interface StepOptions extends Share {
  revision: Revision
  image: Image
  environment: Record<string, string>
  place: Place
  labels: Labels
  /** A command of ours that runs after the steps. */
  last: string | undefined
  say: (line: string) => void
}

const LIMIT_MS = 900_000
const FOREVER = 'while :; do sleep 3600; done'

/**
 * The result of the steps becomes the image, so the root file system must be writable.
 *
 * @param steps lines of shell
 * @throws MeasurementError with the end of the failed step's output
 */
export async function runSteps(steps: readonly string[], options: StepOptions): Promise<void> {
  const { revision, image, environment, place, labels, last, say } = options
  const name = `async-php-bench-${labels.job}-${revision}-setup`
  const { flags, variables } = environmentFlags({ ...environment, COMPOSER_HOME: '/tmp/composer' })
  await docker([
    ...['run', '--detach', '--init', '--name', name, ...labels.flags],
    ...['--network', place.owner ? `container:${place.owner}` : place.network],
    ...[...limitFlags(options), ...setupCapabilities(image.owner)],
    ...['--user', image.owner, '--workdir', image.project],
    ...['--entrypoint', 'sh', image.tag, '-c', FOREVER],
  ])
  for (const step of steps) {
    say(`${revision}: ${step}`)
    const done = await tryDocker(['exec', ...flags, name, 'sh', '-c', step], { variables, timeoutMs: LIMIT_MS })
    if (done.code !== 0) {
      throw new MeasurementError(`setup of ${revision}: \`${step}\` ended with ${done.code}:\n${lastLines(printed(done), 20)}`)
    }
  }
  if (last !== undefined) await docker(['exec', name, 'sh', '-c', last])
  const user = image.record.user as string
  await docker(['commit', '--change', `USER ${user}`, name, image.tag], { timeoutMs: LIMIT_MS })
  await tryDocker(['rm', '--force', '--volumes', name])
}
