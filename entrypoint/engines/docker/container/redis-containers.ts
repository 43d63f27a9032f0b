/** The docker engine's Redis or Valkey: one container per revision. */
import type { Revision } from '../../../config/experiment.ts'
import { MeasurementError } from '../../../system/errors.ts'
import { type Finished, printed } from '../../../system/exec.ts'
import { allOf } from '../../../system/settle-all.ts'
import { lastLines } from '../../../system/tail.ts'
import { REDIS_OPTIONS, REDIS_SETTINGS, type Redis } from '../../shared/redis.ts'
import type { Labels } from '../daemon/labels.ts'
import { type Neighbourhood, Service } from './service.ts'

/** The containers share one network namespace. */
const PORTS: Record<Revision, number> = { head: 6379, base: 6380 }
/** The server writes no file, so any user will do. */
const NOBODY = '65534:65534'

/** The name of a revision's container. */
export function redisName({ job }: Labels, revision: Revision): string {
  return `async-php-bench-${job}-redis-${revision}`
}

/** @throws MeasurementError with a server's log if it does not come up */
export async function redisContainers(revisions: readonly Revision[], image: string, neighbourhood: Neighbourhood): Promise<Redis> {
  const services = new Map<Revision, { service: Service; client: string }>()
  const ask = (revision: Revision, words: readonly string[]): Promise<Finished> => {
    const { service, client } = services.get(revision) as { service: Service; client: string }
    return service.run([client, '-h', '127.0.0.1', '-p', String(PORTS[revision]), ...words])
  }
  const command = async (revision: Revision, word: string, expected: string): Promise<void> => {
    const said = await ask(revision, [word])
    if (said.stdout.trim() === expected) return
    const why = (await services.get(revision)?.service.lost()) ?? lastLines(printed(said))
    throw new MeasurementError(`Redis of ${revision} does not answer to ${word}: ${why}`)
  }
  // One after the other, because the first may own the network namespace of the second.
  for (const revision of revisions) {
    const name = redisName(neighbourhood.labels, revision)
    const args = ['--port', String(PORTS[revision]), '--bind', '127.0.0.1', '--daemonize', 'no', '--dir', '/tmp', ...REDIS_OPTIONS]
    const service = await Service.start(
      { name, what: `Redis of ${revision}`, image, user: NOBODY, script: 'redis.sh', args },
      neighbourhood,
    )
    services.set(revision, { service, client: await service.programAmong(['redis-cli', 'valkey-cli']) })
    await service.untilAnswers(() => ask(revision, ['PING']))
  }
  const version = await ask(revisions[0] as Revision, ['INFO', 'server'])
  return {
    description: {
      version: /^(?:valkey|redis)_version:(\S+)/m.exec(version.stdout)?.[1] ?? 'unknown',
      image,
      servers: 'one per revision',
      settings: REDIS_SETTINGS,
    },
    reached: (revision) => ({ host: '127.0.0.1', port: PORTS[revision] }),
    empty: (revision) => command(revision, 'FLUSHALL', 'OK'),
    assertAlive: async () => void (await allOf(revisions.map((revision) => command(revision, 'PING', 'PONG')))),
    stop: async () => void (await allOf([...services.values()].map(({ service }) => service.stop()))),
  }
}
