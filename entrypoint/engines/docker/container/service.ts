/** A service of the app in a container: a database server or Redis. */
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
/** Long enough to restore a large database. */
const LIMIT_MS = 600_000
/** For data, logs and temporary tables. Buffers are the server's own memory. */
const TMPFS = '3g'

/** What a job's services share. */
export interface Neighbourhood {
  labels: Labels
  network: string
  /** The container whose network namespace all services and arms share. It is started first, and publishes every port. */
  owner: string
  route: Route
  ports: readonly number[]
  cpus: string | undefined
}

/** Settings of a database server of any kind. */
export interface DatabaseStart {
  name: string
  image: string
  storage: 'tmpfs' | 'disk'
}

export interface ServiceStart {
  name: string
  /** Its name in messages. */
  what: string
  image: string
  /** A number, or two with its group, because names are not looked up in the image. */
  user: string
  /** The place of its data. Undefined if it has none. */
  data?: { path: string; storage: 'tmpfs' | 'disk' }
  /** A script in this folder, which becomes the server. */
  script: string
  args: readonly string[]
  /** Variables of the script. */
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
        // Parallel queries of PostgreSQL exchange rows in this memory. The default is 64 MB.
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

  /** Repeats a question until it is answered. @throws MeasurementError with the server's log if it does not start */
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

  /** @returns the path of the first program in the image, or '' */
  async programAmong(names: readonly string[]): Promise<string> {
    const found = await this.run(['sh', '-c', `${PATHS}; for p in ${names.join(' ')}; do command -v $p && break; done`])
    return found.stdout.trim()
  }

  /** @param variables passed by name, because every user can read command lines */
  run(
    args: readonly string[],
    { input, variables = {} }: { input?: string | undefined; variables?: Record<string, string> } = {},
  ): Promise<Finished> {
    return tryDocker([...this.exec(variables), ...args], { input, variables, timeoutMs: LIMIT_MS })
  }

  converse(args: readonly string[], variables: Record<string, string>, partner: Partner): Conversation {
    return new Conversation(command([...this.exec(variables), ...args]), surroundings(variables), partner)
  }

  /** A sentence if the container is gone. */
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

/** Debian keeps each PostgreSQL version's programs in its own folder. */
const PATHS = 'for d in /usr/lib/postgresql/*/bin; do PATH=$d:$PATH; done'

/** The number of an image's user. */
export function userIn(image: string, user: string, { flags }: Labels): Promise<string> {
  return docker(['run', '--rm', ...flags, ...CONFINED, '--network', 'none', '--entrypoint', 'id', image, '-u', user])
}
