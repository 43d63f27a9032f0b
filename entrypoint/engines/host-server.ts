/** One arm as processes of the host. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { MeasurementError } from '../errors.ts'
import { ask } from '../http.ts'
import { type CpuSets, pinned } from '../machine.ts'
import { ProcessGroup, type Usage, usageOf } from '../processes.ts'
import type { Tools } from '../provision.ts'
import type { Checkout, Mode, Runtime } from '../types.ts'
import type { Server } from './engine.ts'
import { distinctTail } from './log-tail.ts'
import { freePort, isOpen } from './ports.ts'
import { fill, fillCommand, type Values } from './template.ts'

const START_LIMIT_MS = 30_000
/** A server that answers nothing but errors for this long will not get well. */
const ERROR_LIMIT_MS = 3_000

export interface StartOptions {
  config: Config
  checkout: Checkout
  /** Of the app, with the APB_ variables that do not change from start to start. */
  environment: Record<string, string>
  appCpus: CpuSets
  /** A file with the classes of php/src, to preload. */
  classes: string
  tools: Tools
  /** Directory for the server's own directory. */
  parent: string
  /** Where workloads write; removed at the end. */
  files: string
}

export class HostServer implements Server {
  private readonly groups: ProcessGroup[] = []
  readonly url: string

  private constructor(
    private readonly port: number,
    private readonly directory: string,
    private readonly options: StartOptions,
    private readonly nonce: string,
    private readonly statusPath: string | undefined,
  ) {
    this.url = `http://127.0.0.1:${port}`
  }

  /** @throws MeasurementError with the log's end if the server does not answer with this start's nonce */
  static async start(mode: Mode, options: StartOptions): Promise<HostServer> {
    const directory = join(options.parent, `server-${randomBytes(4).toString('hex')}`)
    mkdirSync(directory, { mode: 0o700 })
    const server = new HostServer(
      await freePort(),
      directory,
      options,
      randomBytes(12).toString('hex'),
      mode.via === 'runtime' ? mode.runtime.status : undefined,
    )
    try {
      if (mode.via === 'runtime') await server.startRuntime(mode.runtime)
      else await server.startCommand(mode.command, mode.health)
    } catch (error) {
      const log = server.logTail()
      await server.stop()
      throw new MeasurementError(
        `${mode.name} of ${options.checkout.revision} did not start: ${(error as Error).message}${log ? `\n${log}` : ''}`,
      )
    }
    return server
  }

  usage(withMemory: boolean): Usage {
    return usageOf(this.pids(), withMemory)
  }

  changedSince(pids: readonly number[]): string | undefined {
    const now = new Set(this.pids())
    const lost = pids.filter((pid) => !now.has(pid))
    return lost.length ? `${lost.length} of ${pids.length} server processes ended or were replaced` : undefined
  }

  async status(): Promise<Record<string, unknown> | undefined> {
    if (this.statusPath === undefined) return undefined
    try {
      return JSON.parse((await ask(this.url + this.statusPath, { timeoutMs: 5000 })).body)
    } catch {
      // Counters are a note beside the run; a run without them still counts.
      return undefined
    }
  }

  logTail(): string {
    return ['server.log', 'php-fpm.log']
      .map((name) => join(this.directory, name))
      .filter(existsSync)
      .map((file) => readFileSync(file, 'utf8').trim())
      .filter(Boolean)
      .map((text) => distinctTail(text, 12))
      .join('\n')
  }

  async stop(): Promise<void> {
    for (const group of [...this.groups].reverse()) await group.stop()
    const deadline = Date.now() + 5000
    while ((await isOpen(this.port)) && Date.now() < deadline) await sleep(20)
    rmSync(this.directory, { recursive: true, force: true })
    rmSync(this.options.files, { recursive: true, force: true })
  }

  private pids(): number[] {
    return this.groups.flatMap((group) => group.pids())
  }

  private async startRuntime(runtime: Runtime): Promise<void> {
    const { config, appCpus, tools } = this.options
    const workers = runtime.workers === 'cpus' ? Math.min(appCpus.appCpus, config.connections) : config.connections
    const values = this.values(runtime, tools)
    for (const template of runtime.templates) {
      writeFileSync(join(this.directory, template), fill(readFileSync(join(runtime.directory, template), 'utf8'), values))
    }
    const env = {
      ...this.options.environment,
      APB_NONCE: this.nonce,
      APB_PORT: String(this.port),
      APB_WORKERS: String(workers),
      APB_CONNECTIONS: String(config.connections),
      APB_CONCURRENT: runtime.concurrent ? '1' : '0',
      APB_SCRATCH: this.directory,
    }
    for (const process of runtime.processes) {
      await this.launch(fillCommand(process.command, values), env)
      if (process.socket) await this.until(async () => existsSync(fill(process.socket as string, values)), 'no socket')
    }
    await this.untilAllWorkersAnswer(runtime.workers === 'cpus' ? workers : 1)
  }

  /** A server that the user brings: it knows no nonce, so its port must have been free and its process alive. */
  private async startCommand(command: string, health: string): Promise<void> {
    const env = { ...this.options.environment, PORT: String(this.port) }
    await this.launch(['sh', '-c', command.replaceAll('{port}', String(this.port))], env)
    await this.until(async () => {
      const { status } = await ask(this.url + health, { timeoutMs: 2000 })
      return status >= 200 && status < 400
    }, `no answer below 400 from ${health}`)
  }

  private async launch(command: string[], env: Record<string, string>): Promise<void> {
    const group = await ProcessGroup.start(pinned(command, this.options.appCpus.app), {
      cwd: this.options.checkout.directory,
      env,
      log: join(this.directory, 'server.log'),
    })
    this.groups.push(group)
  }

  /** Workers that share a port answer one by one: load must not begin while some of them still boot. */
  private async untilAllWorkersAnswer(workers: number): Promise<void> {
    const seen = new Set<number>()
    let last = 'nothing'
    let firstError = 0
    await this.until(
      async () => {
        const answer = await ask(`${this.url}/_bench/health`, { timeoutMs: 2000 })
        last = `${answer.status} ${answer.body.slice(0, 200)}`
        if (answer.status !== 200) {
          firstError ||= Date.now()
          if (Date.now() - firstError > ERROR_LIMIT_MS) throw new Hopeless(`its health path answers ${last}`)
          return false
        }
        const health = JSON.parse(answer.body) as { nonce?: string; pid?: number }
        if (health.nonce !== this.nonce) throw new Hopeless(`another server answers on port ${this.port}`)
        seen.add(health.pid as number)
        return seen.size >= workers
      },
      () => `${seen.size} of ${workers} workers answered within ${START_LIMIT_MS / 1000} s; the last answer was ${last}`,
    )
  }

  private async until(isTrue: () => Promise<boolean>, failure: string | (() => string)): Promise<void> {
    const deadline = Date.now() + START_LIMIT_MS
    for (;;) {
      const ended = this.groups.find((group) => group.ended)?.ended
      if (ended) throw new Error(`the server ended with ${ended}`)
      try {
        if (await isTrue()) return
      } catch (error) {
        if (error instanceof Hopeless) throw error
      }
      if (Date.now() > deadline) throw new Error(typeof failure === 'string' ? `${failure} within ${START_LIMIT_MS / 1000} s` : failure())
      await sleep(10)
    }
  }

  private values(runtime: Runtime, tools: Tools): Values {
    const isRoot = process.getuid?.() === 0
    return {
      dir: this.directory,
      runtime: runtime.directory,
      port: String(this.port),
      connections: String(this.options.config.connections),
      cpus: String(this.options.appCpus.appCpus),
      'root-flag': isRoot ? '--allow-to-run-as-root' : '',
      // PHP preloads one file: the app's own, where the configuration names one.
      preload: 'opcache.preload' in this.options.config.php.ini ? '' : `-dopcache.preload=${this.options.classes}`,
      'preload-user': isRoot ? '-dopcache.preload_user=root' : '',
      'pool-user': isRoot ? 'user = root\ngroup = root' : '',
      'nginx-user': isRoot ? 'user root;' : '',
      ...tools.binaries,
    }
  }
}

/** Waiting will not help. */
class Hopeless extends Error {}
