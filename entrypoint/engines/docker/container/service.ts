/** A service beside the app as a container: a database server or a Redis. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Conversation, type Partner } from '../../../system/conversation.ts'
import { MeasurementError } from '../../../system/errors.ts'
import { type Finished, printed } from '../../../system/exec.ts'
import { lastLines } from '../../../system/tail.ts'
import { command, docker, surroundings, tryDocker } from '../daemon/docker.ts'
import type { Labels } from '../daemon/labels.ts'
import { IN_CONTAINERS } from '../image/build.ts'
import { CONFINED } from './limits.ts'
import { publishFlags, type Route } from './route.ts'

const START_LIMIT_MS = 120_000
/** Restoring a large database takes as long. */
const LIMIT_MS = 600_000
/** Data, logs and temporary tables; buffers are memory of the server itself. */
const TMPFS = '3g'

/** What the services of a job share. */
export interface Neighbourhood {
  labels: Labels
  network: string
  /** The container whose network name space all services and arms share. It is started first, and publishes the ports of all. */
  owner: string
  route: Route
  ports: readonly number[]
  cpus: string | undefined
}

/** What a database server is told, whatever its kind. */
export interface DatabaseStart {
  name: string
  image: string
  storage: 'tmpfs' | 'disk'
}

export interface ServiceStart {
  name: string
  /** For messages. */
  what: string
  image: string
  /** A number, or with its group: the user is not looked up in the image. */
  user: string
  /** Where its data are; undefined: it has none. */
  data?: { path: string; storage: 'tmpfs' | 'disk' }
  /** A file of this folder, which becomes the server. */
  script: string
  args: readonly string[]
  /** Of the script. */
  variables?: Record<string, string>
}

export class Service {
  private constructor(
    readonly name: string,
    private readonly what: string,
    private readonly image: string,
  ) {}

  static async start(start: ServiceStart, { labels, network, owner, route, ports, cpus }: Neighbourhood): Promise<Service> {
    const { name, image, user, data, variables = {} } = start
    const volumeLabels = labels.flags.filter((flag) => flag !== '--label').map((label) => `,volume-label=${label}`)
    const place = name === owner ? ['--network', network, ...publishFlags(route, ports)] : ['--network', `container:${owner}`]
    await docker(
      [
        ...['run', '--detach', '--init', '--name', name, ...labels.flags, ...place],
        ...['--user', user, '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--read-only', '--tmpfs', '/tmp'],
        // Parallel queries of PostgreSQL exchange their rows there; the default is 64 MB.
        ...['--shm-size', '1g'],
        ...(data?.storage === 'tmpfs' ? ['--tmpfs', `${data.path}:rw,mode=0700,uid=${user},size=${TMPFS}`] : []),
        ...(data?.storage === 'disk' ? ['--mount', `type=volume,dst=${data.path}${volumeLabels.join('')}`] : []),
        ...(cpus ? ['--cpuset-cpus', cpus] : []),
        ...Object.keys(variables).flatMap((variable) => ['--env', variable]),
        ...['--entrypoint', 'sh', image, '-c', readFileSync(join(IN_CONTAINERS, start.script), 'utf8'), start.what, ...start.args],
      ],
      { variables },
    )
    return new Service(name, start.what, image)
  }

  /** Asks until it answers. @throws MeasurementError with its log if it does not come up */
  async untilAnswers(ask: () => Promise<Finished>): Promise<Finished> {
    const deadline = Date.now() + START_LIMIT_MS
    for (;;) {
      const answer = await ask()
      if (answer.code === 0) return answer
      if (!(await this.isRunning()) || Date.now() > deadline)
        throw new MeasurementError(`${this.what} in the image ${this.image} did not start:\n${await this.logEnd()}`)
      await sleep(200)
    }
  }

  /** @returns the path of the first that is in the image, or '' */
  async programAmong(names: readonly string[]): Promise<string> {
    const found = await this.run(['sh', '-c', `${PATHS}; for p in ${names.join(' ')}; do command -v $p && break; done`])
    return found.stdout.trim()
  }

  /** @param variables passed by name: command lines can be read by every user */
  run(
    args: readonly string[],
    { input, variables = {} }: { input?: string | undefined; variables?: Record<string, string> } = {},
  ): Promise<Finished> {
    return tryDocker([...this.exec(variables), ...args], { input, variables, timeoutMs: LIMIT_MS })
  }

  converse(args: readonly string[], variables: Record<string, string>, partner: Partner): Conversation {
    return new Conversation(command([...this.exec(variables), ...args]), surroundings(variables), partner)
  }

  /** A sentence if it is gone. */
  async lost(): Promise<string | undefined> {
    return (await this.isRunning()) ? undefined : `The container of ${this.what} is gone:\n${await this.logEnd()}`
  }

  async stop(): Promise<void> {
    await tryDocker(['rm', '--force', '--volumes', this.name])
  }

  private exec(variables: Record<string, string>): string[] {
    return ['exec', '--interactive', ...Object.keys(variables).flatMap((name) => ['--env', name]), this.name]
  }

  private async isRunning(): Promise<boolean> {
    return (await tryDocker(['inspect', '--format', '{{.State.Running}}', this.name])).stdout.trim() === 'true'
  }

  private async logEnd(): Promise<string> {
    return lastLines(printed(await tryDocker(['logs', '--tail', '15', this.name])))
  }
}

/** Debian keeps the programs of PostgreSQL by version. */
const PATHS = 'for d in /usr/lib/postgresql/*/bin; do PATH=$d:$PATH; done'

/** The number of a user in an image. */
export function userIn(image: string, user: string, { flags }: Labels): Promise<string> {
  return docker(['run', '--rm', ...flags, ...CONFINED, '--network', 'none', '--entrypoint', 'id', image, '-u', user])
}
