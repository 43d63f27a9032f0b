/** The host engine: the runner's own PHP, web servers and database as child processes on private ports. */
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE } from '../../config/catalog.ts'
import type { Arm, Mode, Revision } from '../../config/experiment.ts'
import { modeIn, type Rules, type Served } from '../../config/rules.ts'
import type { DatabaseKind } from '../../provision/database-programs.ts'
import type { Tools } from '../../provision/provision.ts'
import type { Checkout } from '../../revisions/work-trees.ts'
import { apart } from '../../system/environment.ts'
import { MeasurementError } from '../../system/errors.ts'
import { exec, printed } from '../../system/exec.ts'
import { allowedCpus, type CpuSets, cpuSets, describeSets, localMachine } from '../../system/machine.ts'
import { subdirectory } from '../../system/scratch.ts'
import { lastLines } from '../../system/tail.ts'
import type { Engine, Purpose, Server } from '../engine.ts'
import { bundledClasses } from '../shared/classes.ts'
import { composerCommand } from '../shared/composer.ts'
import { Database } from '../shared/database.ts'
import { entryOf, frontFunctions } from '../shared/entry.ts'
import { appEnvironment, benchVariables, iniFile, purposeVariables } from '../shared/environment.ts'
import { RevisionDatabases } from '../shared/revision-databases.ts'
import { externalServer, privateServer } from './database-server.ts'
import { copyQuietIni } from './quiet-ini.ts'
import { HostServer } from './server.ts'

export interface HostOptions {
  rules: Rules
  /** What each revision serves. */
  served: Partial<Record<Revision, Served>>
  checkouts: Partial<Record<Revision, Checkout>>
  tools: Tools
  /** Private directory of the job. */
  directory: string
  /** Progress, a line each. */
  say: (line: string) => void
}

/** Where the requests of runs write, a directory each. */
const FILES = 'files'

/** Each has ini files of its own. */
const PHPS = ['php', 'php-fpm'] as const

type Php = (typeof PHPS)[number]

/** The PHP that serves a mode. */
function phpOf(mode: Mode): Php {
  const needs = mode.via === 'runtime' ? mode.runtime.needs : []
  return needs.some((need) => 'binary' in need && need.binary === 'php-fpm') ? 'php-fpm' : 'php'
}

/** Whether the database is a server that the engine starts. */
function hasOwnDatabase({ database }: Rules): boolean {
  return database !== 'none' && !database.startsWith('mysql://')
}

export class HostEngine implements Engine {
  readonly name = 'host'
  readonly machine = localMachine
  private readonly cpus: CpuSets
  private database: Database | undefined
  private databases: RevisionDatabases | undefined
  private readonly running = new Set<Server>()
  private readonly classes: string
  private readonly composerRan: string[] = []

  constructor(private readonly options: HostOptions) {
    this.cpus = cpuSets(allowedCpus(), { database: hasOwnDatabase(options.rules), load: true })
    this.classes = join(options.directory, 'classes.php')
    writeFileSync(this.classes, bundledClasses(join(PACKAGE, 'php', 'src')))
    for (const revision of this.revisions()) writeFileSync(join(this.iniDirectory(revision), 'async-php-bench.ini'), this.ini(revision))
  }

  get hasDatabase(): boolean {
    return this.options.rules.database !== 'none'
  }

  get hasOwnDatabase(): boolean {
    return hasOwnDatabase(this.options.rules)
  }

  get loadCpus(): string | undefined {
    return this.cpus.load
  }

  async prepare(): Promise<void> {
    const { rules, directory, served, say, tools } = this.options
    for (const program of PHPS) {
      const path = tools.binaries[program]
      if (path) await copyQuietIni(path, this.quietIni(program))
    }
    for (const checkout of Object.values(this.options.checkouts)) entryOf(checkout, this.served(checkout.revision))
    if (this.hasDatabase) {
      say('starting the database')
      const kind = rules.database
      const server = hasOwnDatabase(rules) ? privateServer(kind as DatabaseKind, directory, this.cpus.database) : externalServer(kind)
      this.database = new Database(await server, directory)
      this.databases = new RevisionDatabases(this.database, served)
    }
    for (const checkout of Object.values(this.options.checkouts)) await this.prepareRevision(checkout)
    // ext4 then places each run's directory far from the others, where no removed inodes are in the way: see emptyFiles().
    // Other file systems refuse the flag.
    await exec(['chattr', '+T', subdirectory(directory, FILES)], apart())
  }

  async restore(revision: Revision): Promise<void> {
    await this.databases?.restore(revision)
  }

  async start(arm: Arm, purpose: Purpose): Promise<Server> {
    const checkout = this.options.checkouts[arm.revision] as Checkout
    const { rules, tools } = this.options
    const served = this.served(arm.revision)
    const files = subdirectory(subdirectory(this.options.directory, FILES), randomBytes(4).toString('hex'))
    const server = await HostServer.start(modeIn(served, arm.mode), {
      cpus: this.cpus,
      classes: this.classes,
      checkout,
      connections: rules.connections,
      preloads: 'opcache.preload' in served.php.ini,
      frontFunctions: frontFunctions(served),
      environment: { ...this.environment(arm.revision, phpOf(arm.mode)), ...this.bench(checkout, files), ...purposeVariables(purpose) },
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

  async assertAlive(): Promise<void> {
    await this.statementCounts()
  }

  describe(): Record<string, unknown> {
    return {
      engine: this.name,
      machine: this.machine.description,
      database: this.database?.description ?? null,
      cpu_sets: describeSets(this.cpus),
      connections: this.options.rules.connections,
      composer_install: this.composerRan,
      ini: this.ini('head').trim().split('\n'),
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.running].map((server) => server.stop()))
    this.running.clear()
    await this.database?.close()
    this.database = undefined
  }

  private revisions(): Revision[] {
    return Object.keys(this.options.checkouts) as Revision[]
  }

  private served(revision: Revision): Served {
    return this.options.served[revision] as Served
  }

  /** Settings of PHP, which a revision may change. */
  private ini(revision: Revision): string {
    return iniFile(this.served(revision), this.options.tools.extensionFiles)
  }

  private iniDirectory(revision: Revision): string {
    return subdirectory(this.options.directory, `ini-${revision}`)
  }

  /** PHP's own settings, without debuggers. */
  private quietIni(program: Php): string {
    return subdirectory(this.options.directory, `ini-of-${program}`)
  }

  private environment(revision: Revision, program: Php = 'php'): Record<string, string> {
    const database = this.databases && { access: this.databases.access, name: this.databases.app(revision) }
    const scanned = `${this.quietIni(program)}:${this.iniDirectory(revision)}`
    return appEnvironment(this.served(revision), process.env, scanned, database)
  }

  private bench(checkout: Checkout, files: string): Record<string, string> {
    const served = this.served(checkout.revision)
    const { workloads } = served
    const { app, front } = entryOf(checkout, served)
    const under = (path: string): string => path && join(checkout.directory, path)
    const handlers = workloads.flatMap(({ name, builtIn }) => (builtIn ? [[name, join(builtIn.directory, 'handler.php')]] : []))
    return benchVariables(
      { project: checkout.directory, app: under(app), front: under(front), handlers: Object.fromEntries(handlers), directory: files },
      this.options.rules,
      this.databases && { access: this.databases.access, name: this.databases.bench(checkout.revision) },
    )
  }

  private async prepareRevision(checkout: Checkout): Promise<void> {
    const { say } = this.options
    const { revision, directory } = checkout
    const env = this.environment(revision)
    await this.databases?.create(revision)
    const composer = composerCommand(directory)
    if (composer) {
      say(`${revision}: composer install`)
      await this.installPackages(checkout, composer, env)
    }
    for (const command of this.served(revision).setup) {
      say(`${revision}: ${command}`)
      const done = await exec(['sh', '-c', command], { cwd: directory, env, timeoutMs: 900_000 })
      if (done.code !== 0) {
        throw new MeasurementError(`setup of ${revision}: \`${command}\` ended with ${done.code}:\n${lastLines(printed(done), 20)}`)
      }
    }
    await this.databases?.snapshot(revision)
  }

  private async installPackages({ revision, directory }: Checkout, command: string[], env: Record<string, string>): Promise<void> {
    const { composer } = this.options.tools
    if (!composer) throw new MeasurementError(`${revision} has a composer.json, but Composer is not installed.`)
    const done = await exec([composer, ...command], { cwd: directory, env: { ...env, COMPOSER_ALLOW_SUPERUSER: '1' }, timeoutMs: 900_000 })
    if (done.code !== 0) {
      throw new MeasurementError(`${revision}: composer could not install the app's packages:\n${lastLines(printed(done), 20)}`)
    }
    this.composerRan.push(`${revision}: ${command.join(' ')}`)
  }
}
