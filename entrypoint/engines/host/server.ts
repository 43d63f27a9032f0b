/** One arm as processes of the host. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Mode } from '../../config/experiment.ts'
import type { Runtime } from '../../config/runtimes.ts'
import type { Tools } from '../../provision/provision.ts'
import type { Checkout } from '../../revisions/work-trees.ts'
import { AppFailure, InputError } from '../../system/errors.ts'
import { type CpuSets, pinned } from '../../system/machine.ts'
import { ProcessGroup } from '../../system/process-group.ts'
import { cpuUsOf, memoryKibOf, socketsOf } from '../../system/process-usage.ts'
import { emptyFiles } from '../../system/scratch.ts'
import { allOf } from '../../system/settle-all.ts'
import { atRest, LOG_KEPT, logEnd, NOTHING_KNOWN, TAIL_LINES } from '../../system/tail.ts'
import type { Clock, CountedCommand, CountedFunctions, CountedServer, Counter, Purpose, Usage } from '../engine.ts'
import { startVariables, workersOf } from '../shared/bench-variables.ts'
import { PIPES, underCallgrind, VALGRIND_PATIENCE } from '../shared/callgrind.ts'
import { countFunctionsWithCallgrind, countWithCallgrind } from '../shared/callgrind-count.ts'
import { countersOf, lostProcesses, settled, until, untilAllWorkersAnswer, untilHealthy } from '../shared/health.ts'
import { listeningPorts } from '../shared/listening.ts'
import { refusalIn } from '../shared/refusal.ts'
import { fill, fillCommand } from '../shared/template.ts'
import { callgrindIn, countWithPerf } from './counting.ts'
import { freePort, isOpen } from './ports.ts'
import { type HostPlacement, valuesOnHost } from './values.ts'

const ADDRESS = '127.0.0.1'

export interface StartOptions extends HostPlacement {
  checkout: Checkout
  /** Variables of the app, and APB_ variables that are the same for every start. */
  environment: Record<string, string>
  cpus: CpuSets
  purpose: Purpose
  tools: Tools
  /** The parent of the server's own directory. */
  parent: string
  /** Where workloads write. Removed at the end. */
  files: string
  /** The tool that counts its instructions, if they are counted. The server then has one PHP worker. */
  counter?: Counter | undefined
}

export class HostServer implements CountedServer {
  private readonly groups: ProcessGroup[] = []
  /** The processes that run PHP. */
  private readonly php: ProcessGroup[] = []
  private known: number[] = []
  own: readonly number[] = []
  private readonly nonce = randomBytes(12).toString('hex')
  readonly url: string

  private constructor(
    private readonly mode: Mode,
    private readonly port: number,
    private readonly directory: string,
    private readonly options: StartOptions,
  ) {
    this.url = `http://${ADDRESS}:${port}`
  }

  /**
   * @throws InputError if the app is refused
   * @throws AppFailure with the log's end if the server does not answer with this start's nonce
   */
  static async start(mode: Mode, options: StartOptions): Promise<HostServer> {
    const directory = join(options.parent, `server-${randomBytes(4).toString('hex')}`)
    mkdirSync(directory, { mode: 0o700 })
    const server = new HostServer(mode, await freePort(), directory, options)
    try {
      if (mode.via === 'runtime') await server.startRuntime(mode.runtime)
      else await server.startCommand(mode.command, mode.health)
      server.own = mode.via === 'runtime' ? server.pids() : await settled(async () => server.pids())
    } catch (error) {
      const log = await atRest(() => server.logTail())
      const whole = await server.log()
      const refusal = refusalIn(whole, options.checkout.directory)
      await server.stop()
      const { revision } = options.checkout
      if (refusal) throw new InputError(`${revision}: ${refusal}`)
      const why = `${mode.name} of ${revision} did not start: ${(error as Error).message}${log ? `\n${log}` : ''}`
      throw new AppFailure(why, undefined, whole)
    }
    return server
  }

  async usage(): Promise<Usage> {
    this.known = this.pids()
    return { ...(await this.clock()), memoryKib: memoryKibOf(this.known) }
  }

  async clock(): Promise<Clock> {
    const asked = Date.now()
    const cpuUs = cpuUsOf(this.known)
    return { cpuUs, at: (asked + Date.now()) / 2 }
  }

  countWhile(command: string[]): Promise<CountedCommand> {
    const { counter } = this.options
    if (counter === 'perf') return countWithPerf(command, () => this.php.flatMap((group) => group.pids()), this.directory)
    return countWithCallgrind(command, callgrindIn(this.directory))
  }

  countFunctionsWhile(command: string[]): Promise<CountedFunctions> {
    return countFunctionsWithCallgrind(command, callgrindIn(this.directory))
  }

  async lost(): Promise<string | undefined> {
    return lostProcesses(this.own, this.pids(), this.mode)
  }

  async eachWorker(path: string): Promise<Record<string, unknown> | undefined> {
    return this.mode.via === 'runtime' ? countersOf(this, path, this.workersOf(this.mode.runtime)) : undefined
  }

  async status(): Promise<Record<string, unknown> | undefined> {
    const path = this.mode.via === 'runtime' ? this.mode.runtime.status : undefined
    return path === undefined ? undefined : this.eachWorker(path)
  }

  async logTail(): Promise<string> {
    const logs = this.logs()
    const known = this.mode.via === 'runtime' ? this.mode.runtime : NOTHING_KNOWN
    return logEnd(logs.join('\n'), known, TAIL_LINES * logs.length)
  }

  async log(): Promise<string> {
    return this.logs().join('\n')
  }

  private logs(): string[] {
    return ['server.log', 'php-fpm.log']
      .map((name) => join(this.directory, name))
      .filter(existsSync)
      .map((file) => readFileSync(file, 'utf8').slice(-LOG_KEPT).trim())
      .filter(Boolean)
  }

  /** The last of its processes is the one that listens, or the only one. */
  async signal(name: NodeJS.Signals): Promise<boolean> {
    const main = this.groups.at(-1)
    if (!main || main.ended) return false
    return process.kill(main.pid, name)
  }

  async isRunning(): Promise<boolean> {
    return this.pids().length > 0
  }

  async stop(): Promise<void> {
    await allOf(this.groups.map((group) => group.stop()))
    const deadline = Date.now() + 5000
    while ((await isOpen(this.port)) && Date.now() < deadline) await sleep(20)
    rmSync(this.directory, { recursive: true, force: true })
    emptyFiles(this.options.files)
  }

  private pids(): number[] {
    return this.groups.flatMap((group) => group.pids())
  }

  private readonly ended = async (): Promise<string | undefined> => this.groups.find((group) => group.ended)?.ended

  private workersOf(runtime: Runtime): number {
    const { counter, connections, cpus, purpose } = this.options
    return counter ? 1 : workersOf(runtime, connections, cpus.appCpus, purpose)
  }

  private async startRuntime(runtime: Runtime): Promise<void> {
    const workers = this.workersOf(runtime)
    const values = valuesOnHost(runtime, { directory: this.directory, address: ADDRESS, port: this.port }, this.options)
    for (const template of runtime.templates) {
      writeFileSync(join(this.directory, template), fill(readFileSync(join(runtime.directory, template), 'utf8'), values))
    }
    const start = { nonce: this.nonce, address: ADDRESS, port: this.port, workers, directory: this.directory }
    const env = { ...this.options.environment, ...startVariables(runtime, start) }
    const patience = this.options.counter === 'valgrind' ? VALGRIND_PATIENCE : 1
    if (this.options.counter === 'valgrind') mkdirSync(join(this.directory, PIPES))
    for (const one of runtime.processes) {
      const command = fillCommand(one.command, values)
      const isCounted = one['runs-php'] && this.options.counter === 'valgrind'
      const group = await this.launch(isCounted ? underCallgrind(command, this.directory) : command, env)
      if (one['runs-php']) this.php.push(group)
      if (one.socket) {
        const socket = fill(one.socket, values)
        await until(
          async () => existsSync(socket),
          this.ended,
          () => `no socket ${socket}`,
          patience,
        )
      }
    }
    await untilAllWorkersAnswer(this.url, this.nonce, runtime.workers === 'cpus' ? workers : 1, this.ended, patience)
  }

  /** Starts the user's own server. It knows no nonce, so its port must have been free and its process must be alive. */
  private async startCommand(command: string, health: string): Promise<void> {
    const env = { ...this.options.environment, PORT: String(this.port) }
    await this.launch(['sh', '-c', command.replaceAll('{port}', String(this.port))], env)
    await untilHealthy({ url: this.url, health, port: this.port }, this.ended, async () => listeningPorts(socketsOf(this.pids())))
  }

  private async launch(command: string[], env: Record<string, string>): Promise<ProcessGroup> {
    const group = await ProcessGroup.start(pinned(command, this.options.cpus.app), {
      cwd: this.options.checkout.directory,
      env,
      log: join(this.directory, 'server.log'),
    })
    this.groups.push(group)
    return group
  }
}
