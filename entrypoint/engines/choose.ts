/** Chooses the engine that serves. */
import type { Rules, Served } from '../config/rules.ts'
import { MeasurementError } from '../system/errors.ts'
import { type Daemon, findDaemon } from './docker/daemon/docker.ts'

export type Choice = { engine: 'host' } | { engine: 'docker'; daemon: Daemon }

/** `auto` chooses docker if the configuration names a Dockerfile or an image and a daemon answers. @throws MeasurementError */
export async function chooseEngine(
  { engine }: Pick<Rules, 'engine'>,
  { docker }: Pick<Served, 'docker'>,
  say: (line: string) => void,
): Promise<Choice> {
  const namesImage = docker.dockerfile !== undefined || docker.image !== undefined
  if (engine === 'host' || (engine === 'auto' && !namesImage)) return { engine: 'host' }
  const daemon = await findDaemon()
  if (typeof daemon !== 'string') return { engine: 'docker', daemon }
  if (engine === 'docker') {
    // Docker's own sentence may be a question.
    const end = daemon.endsWith('?') ? '' : '.'
    throw new MeasurementError(`engine: docker: ${daemon}${end} Start one, set DOCKER_HOST, or use \`engine: host\`.`)
  }
  say(`warning: the configuration names an image, but ${daemon}; the app is served by this machine's own PHP`)
  return { engine: 'host' }
}
