/** One arm as a container. */
import { randomBytes } from 'node:crypto'
import type { Mode, Revision } from '../../../config/experiment.ts'
import type { Conversation } from '../../../system/conversation.ts'
import { AppFailure, InputError } from '../../../system/errors.ts'
import { atRest, LOG_KEPT, logEnd, NOTHING_KNOWN, TAIL_LINES } from '../../../system/tail.ts'
import type { Clock, CountedCommand, CountedFunctions, CountedServer, Usage } from '../../engine.ts'
import { startVariables } from '../../shared/bench-variables.ts'
import { VALGRIND_PATIENCE } from '../../shared/callgrind.ts'
import { countFunctionsWithCallgrind, countWithCallgrind } from '../../shared/callgrind-count.ts'
import { countersOf, lostProcesses, settled, untilAllWorkersAnswer, untilHealthy } from '../../shared/health.ts'
import { listeningPorts, PRINT_SOCKETS } from '../../shared/listening.ts'
import { refusalIn } from '../../shared/refusal.ts'
import { docker, environmentFlags, tryDocker } from '../daemon/docker.ts'
import type { Labels } from '../daemon/labels.ts'
import { COUNTED, MODES, OURS, SCRATCH, SQLITE } from '../image/dockerfiles.ts'
import { type Counters, parseCounters, READER } from './cgroup.ts'
import { converse } from './converse.ts'
import { callgrindInside } from './counting.ts'
import { limitFlags, type Share } from './limits.ts'
import { type Place, publishFlags, type Route, urlOf } from './route.ts'

export interface ContainerOptions extends Share {
  revision: Revision
  image: string
  project: string
  place: Place
  /** The port for its server. */
  port: number
  labels: Labels
  route: Route
  /** Variables of the app, and APB_ variables that are the same for every start. */
  environment: Record<string, string>
  workers: number
  cpus: string | undefined
  isReadOnly: boolean
  /** Whether what runs PHP is under Valgrind. */
  isCounted: boolean
}

export class ContainerServer implements CountedServer {
  private last: Counters | undefined
  own: readonly number[] = []

  private constructor(
    readonly url: string,
    private readonly name: string,
    private readonly mode: Mode,
    private readonly workers: number,
    private readonly reader: Conversation,
  ) {}

  /**
   * @throws InputError if the app is refused
   * @throws AppFailure with the log's end if the server does not answer with this start's nonce
   */
  static async start(mode: Mode, options: ContainerOptions): Promise<ContainerServer> {
    const name = `async-php-bench-${options.labels.job}-${options.revision}-${mode.name}-${randomBytes(3).toString('hex')}`
    const nonce = randomBytes(12).toString('hex')
    let server: ContainerServer | undefined
    try {
      await run(name, nonce, mode, options)
      const url = await urlOf(options.place.owner ?? name, options.port, options.route)
      server = new ContainerServer(url, name, mode, options.workers, converse(['exec', '--interactive', name, 'sh', '-c', READER]))
      if (mode.via === 'runtime') {
        const { workers } = options
        const patience = options.isCounted ? VALGRIND_PATIENCE : 1
        await untilAllWorkersAnswer(url, nonce, mode.runtime.workers === 'cpus' ? workers : 1, () => ended(name), patience)
      } else {
        const { health } = mode
        await untilHealthy(
          { url, health, port: options.port },
          () => ended(name),
          async () => listeningPorts((await tryDocker(['exec', name, 'sh', '-c', PRINT_SOCKETS])).stdout),
        )
      }
      const pids = async (container: ContainerServer): Promise<number[]> => (await container.counters()).pids
      const started = server
      server.own = mode.via === 'runtime' ? await pids(started) : await settled(() => pids(started))
      return server
    } catch (error) {
      const log = await atRest(() => logTailOf(name, mode))
      const whole = await logOf(name, KEPT_LINES)
      const refusal = refusalIn(whole, options.project)
      server?.reader.close()
      await remove(name)
      if (refusal) throw new InputError(`${options.revision}: ${refusal}`)
      const why = `${mode.name} of ${options.revision} did not start: ${(error as Error).message}${log ? `\n${log}` : ''}`
      throw new AppFailure(why, undefined, whole)
    }
  }

  async usage(): Promise<Usage> {
    const asked = Date.now()
    const { cpuUs, workingSetKib } = await this.counters()
    // The files were read at some time between question and answer.
    return { at: (asked + Date.now()) / 2, cpuUs, memoryKib: workingSetKib }
  }

  async clock(): Promise<Clock> {
    const { at, cpuUs } = await this.usage()
    return { at, cpuUs }
  }

  countWhile(command: string[]): Promise<CountedCommand> {
    return countWithCallgrind(command, callgrindInside(this.name))
  }

  countFunctionsWhile(command: string[]): Promise<CountedFunctions> {
    return countFunctionsWithCallgrind(command, callgrindInside(this.name))
  }

  async lost(): Promise<string | undefined> {
    return lostProcesses(this.own, (await this.counters()).pids, this.mode)
  }

  async eachWorker(path: string): Promise<Record<string, unknown> | undefined> {
    return this.mode.via === 'runtime' ? countersOf(this, path, this.workers) : undefined
  }

  async status(): Promise<Record<string, unknown> | undefined> {
    const path = this.mode.via === 'runtime' ? this.mode.runtime.status : undefined
    const own = path === undefined ? undefined : await this.eachWorker(path)
    const { peakKib, throttledUs } = this.last ?? { peakKib: null, throttledUs: 0 }
    return { ...own, cgroup_peak_mib: peakKib === null ? null : peakKib / 1024, cgroup_throttled_us: throttledUs }
  }

  logTail(): Promise<string> {
    return logTailOf(this.name, this.mode)
  }

  async log(): Promise<string> {
    return (await logOf(this.name, KEPT_LINES)).slice(-LOG_KEPT)
  }

  /** Its main process is an init of Docker's, which is not what an administrator signals. */
  async signal(): Promise<boolean> {
    return false
  }

  async isRunning(): Promise<boolean> {
    return (await ended(this.name)) === undefined
  }

  async stop(): Promise<void> {
    this.reader.close()
    // Its volume stays until the job ends, but its files are emptied. emptyFiles() has the reason.
    const emptied = await tryDocker(['exec', this.name, 'sh', '-c', EMPTY_FILES])
    if (emptied.code === 0) await tryDocker(['rm', '--force', this.name])
    else await remove(this.name)
  }

  private async counters(): Promise<Counters> {
    this.last = parseCounters(await this.reader.ask('read'))
    return this.last
  }
}

const EMPTY_FILES = `for file in ${SCRATCH}/files/* ${SQLITE}/*; do if [ -f "$file" ]; then : > "$file"; fi; done`

async function run(name: string, nonce: string, mode: Mode, options: ContainerOptions): Promise<void> {
  const { labels, place, port } = options
  const start = { nonce, address: '0.0.0.0', port, workers: options.workers, directory: `${SCRATCH}/run` }
  const ofStart = mode.via === 'runtime' ? startVariables(mode.runtime, start) : { PORT: String(port) }
  const { flags, variables } = environmentFlags({ ...options.environment, ...ofStart })
  const script = `${OURS}/${options.isCounted ? COUNTED : MODES}/${mode.name}/start.sh`
  const volumeLabels = labels.flags.filter((flag) => flag !== '--label').map((label) => `,volume-label=${label}`)
  await docker(
    [
      ...['run', '--detach', '--init', '--name', name, ...labels.flags],
      ...(place.owner ? ['--network', `container:${place.owner}`] : ['--network', place.network, ...publishFlags(options.route, [port])]),
      ...limitFlags(options),
      ...(options.cpus ? ['--cpuset-cpus', options.cpus] : []),
      ...(options.isReadOnly ? ['--read-only', '--tmpfs', '/tmp:rw,mode=1777', '--tmpfs', '/run:rw,mode=1777'] : []),
      ...['--mount', `type=volume,dst=${SCRATCH}${volumeLabels.join('')}`],
      ...['--workdir', options.project, ...flags, '--entrypoint', 'sh', options.image, script],
    ],
    { variables },
  )
}

async function ended(name: string): Promise<string | undefined> {
  const state = await tryDocker(['inspect', '--format', '{{.State.Running}} {{.State.ExitCode}} {{.State.OOMKilled}}', name])
  const [running, code, isOutOfMemory] = state.stdout.trim().split(' ')
  if (running === 'true') return undefined
  return state.code === 0 ? `exit code ${code}${isOutOfMemory === 'true' ? ', out of memory' : ''}` : 'its container gone'
}

/** Counted in lines: more than a message shows, and as many as a file keeps. */
const LOOKED_AT_LINES = 200
const KEPT_LINES = 2000

async function logTailOf(name: string, mode: Mode): Promise<string> {
  return logEnd(await logOf(name, LOOKED_AT_LINES), mode.via === 'runtime' ? mode.runtime : NOTHING_KNOWN, TAIL_LINES)
}

async function logOf(name: string, lines: number): Promise<string> {
  const { stdout, stderr } = await tryDocker(['logs', '--tail', String(lines), name])
  return stdout + stderr
}

async function remove(name: string): Promise<void> {
  await tryDocker(['rm', '--force', '--volumes', name])
}
