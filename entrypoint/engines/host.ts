/** The host engine: the runner's own PHP, web servers and database as child processes on private ports. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { MeasurementError } from '../errors.ts'
import { exec } from '../exec.ts'
import { PACKAGE } from '../folders.ts'
import { cpuSets, describeMachine } from '../machine.ts'
import type { Tools } from '../provision.ts'
import { subdirectory } from '../scratch.ts'
import type { Arm, Checkout, Revision, Workload } from '../types.ts'
import { bundledClasses } from './classes.ts'
import { Database } from './database.ts'
import type { Engine, Server } from './engine.ts'
import { appEnvironment, iniFile } from './environment.ts'
import { HostServer } from './host-server.ts'

export interface HostOptions {
  config: Config
  checkouts: Partial<Record<Revision, Checkout>>
  workloads: Workload[]
  tools: Tools
  /** Private directory of the job. */
  directory: string
  /** Progress, a line each. */
  say: (line: string) => void
}

export class HostEngine implements Engine {
  readonly name = 'host'
  private database: Database | undefined
  private readonly running = new Set<Server>()
  private readonly iniDirectory: string
  private readonly classes: string
  private readonly id = randomBytes(4).toString('hex')
  private readonly composerRan: string[] = []

  constructor(private readonly options: HostOptions) {
    this.iniDirectory = subdirectory(options.directory, 'ini')
    this.classes = join(options.directory, 'classes.php')
    writeFileSync(this.classes, bundledClasses(join(PACKAGE, 'php', 'src')))
    writeFileSync(join(this.iniDirectory, 'async-php-bench.ini'), iniFile(options.config, options.tools.extensionFiles))
  }

  get hasDatabase(): boolean {
    return this.options.config.database !== 'none'
  }

  async prepare(): Promise<void> {
    const { config, directory, say } = this.options
    if (this.hasDatabase) {
      say('starting the database')
      const kind = config.database
      this.database = kind.startsWith('mysql://')
        ? await Database.external(kind, directory)
        : await Database.private(kind as 'auto' | 'mariadb' | 'mysql', directory)
    }
    for (const checkout of this.checkouts()) {
      await this.prepareRevision(checkout)
    }
  }

  async start(arm: Arm): Promise<Server> {
    await this.restore(arm.revision)
    const checkout = this.options.checkouts[arm.revision] as Checkout
    const { config, tools } = this.options
    const files = subdirectory(this.options.directory, `files-${randomBytes(4).toString('hex')}`)
    const server = await HostServer.start(arm.mode, {
      appCpus: cpuSets(availableParallelism()),
      classes: this.classes,
      checkout,
      config,
      environment: { ...this.environment(arm.revision), ...this.bench(arm.revision, files) },
      files,
      parent: this.options.directory,
      tools,
    }).catch((error) => {
      rmSync(files, { recursive: true, force: true })
      throw error
    })
    this.running.add(server)
    return server
  }

  async statementCounts(): Promise<Record<string, number>> {
    return this.database ? this.database.statementCounts() : {}
  }

  facts(): Record<string, unknown> {
    return {
      engine: this.name,
      machine: describeMachine(),
      database: this.database?.description ?? null,
      connections: this.options.config.connections,
      composer_install: this.composerRan,
      ini: iniFile(this.options.config, this.options.tools.extensionFiles).trim().split('\n'),
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.running].map((server) => server.stop()))
    this.running.clear()
    await this.database?.close()
    this.database = undefined
  }

  private checkouts(): Checkout[] {
    return Object.values(this.options.checkouts)
  }

  private appDatabase(revision: Revision): string {
    return `apb_${this.id}_${revision}`
  }

  private benchDatabase(revision: Revision): string {
    return `apb_${this.id}_${revision}_bench`
  }

  private environment(revision: Revision): Record<string, string> {
    return appEnvironment(this.options.config, process.env, this.iniDirectory, this.database?.access, this.appDatabase(revision))
  }

  /** What a runtime's server reads: php/src/Server/Environment.php. */
  private bench(revision: Revision, files: string): Record<string, string> {
    const { config, workloads } = this.options
    const checkout = this.options.checkouts[revision] as Checkout
    const app = join(checkout.directory, config.app)
    const access = this.database?.access
    const builtIns = workloads.filter((workload) => workload.builtIn)
    return {
      APB_PROJECT: checkout.directory,
      APB_APP: existsSync(app) ? app : '',
      APB_WORKLOADS: JSON.stringify(
        Object.fromEntries(builtIns.map((workload) => [workload.name, join(workload.builtIn?.directory as string, 'handler.php')])),
      ),
      APB_DIRECTORY: files,
      APB_INSTANCES: config.instances,
      ...(access
        ? {
            APB_DB_DSN: `mysql:host=${access.host};port=${access.port};dbname=${this.benchDatabase(revision)};charset=utf8mb4`,
            APB_DB_USER: access.user,
            APB_DB_PASSWORD: access.password,
          }
        : {}),
    }
  }

  private async prepareRevision(checkout: Checkout): Promise<void> {
    const { config, say } = this.options
    const env = this.environment(checkout.revision)
    if (this.database) {
      // Before composer and setup: config caches freeze what they see.
      await this.database.create(this.appDatabase(checkout.revision))
      await this.database.create(this.benchDatabase(checkout.revision))
    }
    if (existsSync(join(checkout.directory, 'composer.json'))) {
      say(`${checkout.revision}: composer install`)
      await this.installPackages(checkout, env)
    }
    for (const command of config.setup) {
      say(`${checkout.revision}: ${command}`)
      const done = await exec(['sh', '-c', command], { cwd: checkout.directory, env, timeoutMs: 900_000 })
      if (done.code !== 0) {
        throw new MeasurementError(
          `setup of ${checkout.revision}: \`${command}\` ended with ${done.code}:\n${tail(done.stdout + done.stderr)}`,
        )
      }
    }
    if (this.database) {
      for (const workload of this.options.workloads) {
        if (workload.builtIn?.schema) {
          await this.database.sql(`USE \`${this.benchDatabase(checkout.revision)}\`;\n${readFileSync(workload.builtIn.schema, 'utf8')}`)
        }
      }
      await this.database.snapshot(this.appDatabase(checkout.revision))
      await this.database.snapshot(this.benchDatabase(checkout.revision))
    }
  }

  /** Without an optimised autoloader FPM searches for its classes in every request, which alone doubles the "gain". */
  private async installPackages(checkout: Checkout, env: Record<string, string>): Promise<void> {
    const { composer } = this.options.tools
    if (!composer) throw new MeasurementError(`${checkout.revision} has a composer.json, but Composer is not installed.`)
    const flags = ['--no-dev', '--classmap-authoritative', '--no-interaction', '--no-progress']
    const isLocked = existsSync(join(checkout.directory, 'composer.lock'))
    const command = [composer, isLocked ? 'install' : 'update', ...flags]
    const done = await exec(command, { cwd: checkout.directory, env: { ...env, COMPOSER_ALLOW_SUPERUSER: '1' }, timeoutMs: 900_000 })
    if (done.code !== 0) {
      throw new MeasurementError(`${checkout.revision}: composer could not install the app's packages:\n${tail(done.stdout + done.stderr)}`)
    }
    this.composerRan.push(`${checkout.revision}: ${command.slice(1).join(' ')}`)
  }

  private async restore(revision: Revision): Promise<void> {
    await this.database?.restore(this.appDatabase(revision))
    await this.database?.restore(this.benchDatabase(revision))
  }
}

function tail(text: string): string {
  return text.trim().split('\n').slice(-20).join('\n')
}
