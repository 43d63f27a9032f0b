/** The database server of the docker engine: a container of its own. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Rules } from '../../../config/rules.ts'
import { Conversation } from '../../../system/conversation.ts'
import { MeasurementError, messageOf } from '../../../system/errors.ts'
import { printed } from '../../../system/exec.ts'
import { subdirectory } from '../../../system/scratch.ts'
import { lastLines } from '../../../system/tail.ts'
import type { DatabaseServer } from '../../shared/database.ts'
import { MYSQL_SETTINGS, mysql } from '../../shared/mysql.ts'
import { command, type Daemon, docker, surroundings, tryDocker } from '../daemon/docker.ts'
import { CACHE_LABEL, type Labels } from '../daemon/labels.ts'
import { bring, build, cacheTag, HERE, IN_CONTAINERS, idOf } from '../image/build.ts'
import type { ImageJob } from '../image/equip.ts'
import { CONFINED } from './limits.ts'
import { publishFlags, type Route } from './route.ts'

const START_LIMIT_MS = 120_000
/** Data, log and temporary tables; the buffer pool is memory of the server itself. */
const TMPFS = '3g'

export interface ContainerDatabaseOptions {
  rules: Rules
  daemon: Daemon
  labels: Labels
  network: string
  /** Arms share its network name space, so it publishes their ports. */
  route: Route
  ports: readonly number[]
  image: string
  cpus: string | undefined
}

/** Name of the database's container. */
export function databaseName({ job }: Labels): string {
  return `async-php-bench-${job}-database`
}

/** @throws MeasurementError with the server's log if it does not come up */
export async function containerDatabase(options: ContainerDatabaseOptions): Promise<DatabaseServer> {
  const { rules, daemon, labels, network, route, ports, image, cpus } = options
  const wanted = rules.limits['database-storage']
  const storage = wanted === 'auto' ? (daemon.memoryBytes > 12 * 2 ** 30 ? 'tmpfs' : 'disk') : wanted
  const name = databaseName(labels)
  const user = await docker(['run', '--rm', ...labels.flags, ...CONFINED, '--network', 'none', '--entrypoint', 'id', image, '-u', 'mysql'])
  const password = randomBytes(12).toString('hex')
  const labelsOfVolume = labels.flags.filter((flag) => flag !== '--label').map((label) => `,volume-label=${label}`)
  await docker(
    [
      ...['run', '--detach', '--init', '--name', name, ...labels.flags, '--network', network, ...publishFlags(route, ports)],
      ...['--user', user, '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--read-only', '--tmpfs', '/tmp'],
      ...(storage === 'tmpfs'
        ? ['--tmpfs', `/var/lib/mysql:rw,mode=0700,uid=${user},size=${TMPFS}`]
        : ['--mount', `type=volume,dst=/var/lib/mysql${labelsOfVolume.join('')}`]),
      ...(cpus ? ['--cpuset-cpus', cpus] : []),
      ...['--env', 'APB_PASSWORD', '--entrypoint', 'sh', image, '-c', readFileSync(join(IN_CONTAINERS, 'database.sh'), 'utf8'), 'database'],
      ...Object.entries(MYSQL_SETTINGS).map(([key, value]) => `--${key}=${value}`),
    ],
    { variables: { APB_PASSWORD: password } },
  )
  const isRunning = async (): Promise<boolean> =>
    (await tryDocker(['inspect', '--format', '{{.State.Running}}', name])).stdout.trim() === 'true'
  const login = ['--no-defaults', '--host=127.0.0.1', '--port=3306', '--user=bench', '--protocol=tcp']
  const variables = { MYSQL_PWD: password }
  const run = (path: string, args: string[], input?: string) =>
    tryDocker(['exec', '--interactive', '--env', 'MYSQL_PWD', name, path, ...login, ...args], { input, variables, timeoutMs: 600_000 })

  const script = 'for p in mariadb mysql; do command -v $p && break; done; for p in mariadb-dump mysqldump; do command -v $p && break; done'
  const programs = await tryDocker(['exec', name, 'sh', '-c', script])
  const [client = '', dump = ''] = programs.stdout.trim().split('\n')
  const deadline = Date.now() + START_LIMIT_MS
  let answer = programs
  while (answer.code !== 0 || answer === programs) {
    if (!(await isRunning()) || Date.now() > deadline) {
      throw new MeasurementError(`The database in the image ${image} did not start:\n${await logs(name)}`)
    }
    await sleep(200)
    answer = await run(client, ['-N', '-e', 'SELECT VERSION()'])
  }
  return {
    // Arms share this network namespace, as on a single machine. Over a bridge each query would cost system time, which would count as
    // the app's: 1 to 2 ms per request of the invoice workload.
    access: { host: '127.0.0.1', port: 3306, user: 'bench', password },
    description: {
      kind: client.endsWith('mariadb') ? 'mariadb' : 'mysql',
      version: answer.stdout.trim(),
      private: true,
      image,
      storage,
      settings: MYSQL_SETTINGS,
    },
    isPrivate: true,
    client: (args, input) => run(client, args, input),
    converse: (args, partner) =>
      new Conversation(
        command(['exec', '--interactive', '--env', 'MYSQL_PWD', name, client, ...login, ...args]),
        surroundings(variables),
        partner,
      ),
    dialect: mysql((args) => run(dump, args)),
    lost: async () => ((await isRunning()) ? undefined : `The database container is gone:\n${await logs(name)}`),
    stop: async () => void (await tryDocker(['rm', '--force', '--volumes', name])),
  }
}

async function logs(name: string): Promise<string> {
  return lastLines(printed(await tryDocker(['logs', '--tail', '15', name])))
}

/** The configured one, the official one, or if that cannot be pulled MariaDB from the packages of the base. */
export async function databaseImage(
  rules: Rules,
  base: string,
  directory: string,
  { say, cache }: Pick<ImageJob, 'say' | 'cache'>,
): Promise<string> {
  const configured = rules.limits['database-image']
  const name = configured ?? (rules.database === 'mysql' ? 'mysql:8.4' : 'mariadb:11.4')
  try {
    await bring(name)
    return name
  } catch (error) {
    if (configured || rules.database === 'mysql') throw error
    say(`${messageOf(error)} So MariaDB comes from the packages of ${base} instead`)
  }
  const dockerfile = readFileSync(join(HERE, 'database.Dockerfile'), 'utf8')
  const tag = cacheTag('database', await bring(base), dockerfile)
  if (!(await idOf(tag))) {
    const context = subdirectory(directory, 'database-image')
    const flags = [
      '--build-arg',
      `BASE=${base}`,
      '--label',
      CACHE_LABEL,
      '--tag',
      tag,
      '--file',
      join(HERE, 'database.Dockerfile'),
      context,
    ]
    await build(flags, 'a database image', { name: 'database', layers: cache?.layers, say })
  }
  return tag
}
