/** The host engine: the runner's own PHP, web servers and database as child processes on private ports. */
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE } from '../../config/catalog.ts'
import { type DatabaseChoice, databaseOf, isOnServer } from '../../config/database.ts'
import type { Arm, Mode, Revision } from '../../config/experiment.ts'
import { modeIn, type Rules, type Served } from '../../config/rules.ts'
import { PROFILER } from '../../provision/profiler.ts'
import type { Tools } from '../../provision/provision.ts'
import type { Checkout } from '../../revisions/work-trees.ts'
import type { Cache } from '../../system/cache.ts'
import { apart } from '../../system/environment.ts'
import { exec } from '../../system/exec.ts'
import { allowedCpus, type CpuSets, cpuSets, describeSets, localMachine, pinned } from '../../system/machine.ts'
import { subdirectory } from '../../system/scratch.ts'
import { allOf } from '../../system/settle-all.ts'
import type { CountedServer, Counter, Engine, Purpose, Server } from '../engine.ts'
import { bundledClasses } from '../shared/classes.ts'
import { Database } from '../shared/database.ts'
import { entryOf, frontFunctions } from '../shared/entry.ts'
import { appEnvironment, benchVariables, iniFile, purposeVariables } from '../shared/environment.ts'
import type { Redis } from '../shared/redis.ts'
import { RELAY, type Relay } from '../shared/relay.ts'
import { RevisionDatabases } from '../shared/revision-databases.ts'
import { distant } from '../shared/services.ts'
import { restoreComposerCache } from './composer-cache.ts'
import { countersHere } from './counting.ts'
import { databaseServer, memoryHasRoom } from './database-server.ts'
import { prepareFiles } from './prepare-files.ts'
import { copyQuietIni } from './quiet-ini.ts'
import { privateRedis } from './redis-server.ts'
import { HostServer, type StartOptions } from './server.ts'
import { SqliteFiles } from './sqlite-files.ts'

export interface HostOptions {
  rules: Rules
  /** What each revision serves. */
  served: Partial<Record<Revision, Served>>
  checkouts: Partial<Record<Revision, Checkout>>
  tools: Tools
  /** The private directory of the job. */
  directory: string
  /** Reports progress, one line at a time. */
  say: (line: string) => void
  /** The cache of Actions. */
  cache?: Cache | undefined
}

/** The folder in which requests of runs write, one directory per run. */
const FILES = 'files'

/** The PHP programs, each with its own ini files. */
const PHPS = ['php', 'php-fpm'] as const

type Php = (typeof PHPS)[number]

/** The PHP that serves a mode. */
function phpOf(mode: Mode): Php {
  const needs = mode.via === 'runtime' ? mode.runtime.needs : []
  return needs.some((need) => 'binary' in need && need.binary === 'php-fpm') ? 'php-fpm' : 'php'
}

export class HostEngine implements Engine {
  readonly name = 'host'
  readonly machine = localMachine
  private readonly choice: DatabaseChoice
  private readonly cpus: CpuSets
  private database: Database | undefined
  private databases: RevisionDatabases | undefined
  private sqlite: SqliteFiles | undefined
  private redis: Redis | undefined
  private relay: Relay | undefined
  private readonly running = new Set<Server>()
  private readonly classes: string
  private readonly composerRan: string[] = []

  constructor(private readonly options: HostOptions) {
    this.choice = databaseOf(options.rules.database)
    this.cpus = cpuSets(allowedCpus(), { database: this.hasOwnDatabase || options.rules.redis, load: true })
    this.classes = join(options.directory, 'classes.php')
    writeFileSync(this.classes, bundledClasses(join(PACKAGE, 'php', 'src')))
    for (const revision of this.revisions()) writeFileSync(join(this.iniDirectory(revision), 'async-php-bench.ini'), this.ini(revision))
  }

  get hasDatabase(): boolean {
    return this.choice.from !== 'none'
  }

  get hasOwnDatabase(): boolean {
    return this.choice.from === 'job'
  }

  get loadCpus(): string | undefined {
    return this.cpus.load
  }

  get appCpus(): number {
    return this.cpus.appCpus
  }

  async prepare(): Promise<void> {
    const { checkouts, tools, cache } = this.options
    const all = Object.values(checkouts)
    for (const checkout of all) entryOf(checkout, this.served(checkout.revision))
    const { binaries, composer } = tools
    const quiet = PHPS.map(async (program) => binaries[program] && copyQuietIni(binaries[program], this.quietIni(program)))
    await allOf([this.startServices(), ...quiet])
    const packages = cache && composer ? await restoreComposerCache(all, { composer, env: this.environment('head') }, cache) : undefined
    for (const checkout of all) await this.prepareRevision(checkout)
    await packages?.save()
    // Makes ext4 place each run's directory far from the others, away from removed inodes: see emptyFiles(). Other file systems refuse
    // the flag.
    await exec(['chattr', '+T', subdirectory(this.options.directory, FILES)], apart())
  }

  private async startServices(): Promise<void> {
    const { directory, served, rules, say, tools } = this.options
    const { choice } = this
    const cpus = this.cpus.database
    if (choice.from === 'file') this.sqlite = new SqliteFiles(directory, memoryHasRoom())
    if (isOnServer(choice)) say('starting the database')
    if (rules.redis) say('starting Redis')
    const [server, redis] = await allOf([
      isOnServer(choice) ? databaseServer(choice, { directory, cpus }) : undefined,
      rules.redis ? privateRedis(this.revisions(), directory, cpus) : undefined,
    ])
    const command = (args: string[]): string[] => pinned([tools.binaries.php ?? 'php', '-n', RELAY, ...args], cpus)
    const services = await distant({ server, redis }, this.revisions(), rules, command, apart())
    this.redis = services.redis
    this.relay = services.relay
    this.database = services.server && new Database(services.server, directory)
    this.databases = this.database && new RevisionDatabases(this.database, served)
  }

  async restore(revision: Revision): Promise<void> {
    await allOf([this.databases?.restore(revision), this.redis?.empty(revision)])
  }

  async start(arm: Arm, purpose: Purpose): Promise<Server> {
    return this.serve(arm, purpose, {})
  }

  counters(): Promise<Counter[]> {
    return countersHere()
  }

  async startCounted(arm: Arm, counter: Counter): Promise<CountedServer> {
    // PHP-FPM gets one child, Swoole one worker. With several, chance would decide which one answers.
    const { connections } = this.options.rules
    const isConcurrent = arm.mode.via === 'runtime' && arm.mode.runtime.concurrent
    return this.serve(arm, 'measurement', { counter, connections: isConcurrent ? connections : 1 })
  }

  private async serve(arm: Arm, purpose: Purpose, given: Pick<StartOptions, 'counter'> & { connections?: number }): Promise<HostServer> {
    const checkout = this.options.checkouts[arm.revision] as Checkout
    const { tools } = this.options
    const rules = { ...this.options.rules, ...(given.connections === undefined ? {} : { connections: given.connections }) }
    const served = this.served(arm.revision)
    const files = subdirectory(subdirectory(this.options.directory, FILES), randomBytes(4).toString('hex'))
    const server = await HostServer.start(modeIn(served, arm.mode), {
      cpus: this.cpus,
      classes: this.classes,
      checkout,
      connections: rules.connections,
      counter: given.counter,
      purpose,
      preloads: 'opcache.preload' in served.php.ini,
      frontFunctions: frontFunctions(served),
      environment: {
        ...this.environment(arm.revision, { program: phpOf(arm.mode), purpose, sqlite: this.sqlite?.copy(arm) }),
        ...this.bench(checkout, files, rules),
        ...purposeVariables(purpose),
      },
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

  async relayCpuUs(): Promise<number | undefined> {
    return this.relay?.cpuUs()
  }

  async assertAlive(): Promise<void> {
    await allOf([this.statementCounts(), this.redis?.assertAlive()])
  }

  describe(): Record<string, unknown> {
    return {
      engine: this.name,
      machine: this.machine.description,
      database: this.database?.description ?? this.sqlite?.description ?? null,
      redis: this.redis?.description ?? null,
      cpu_sets: describeSets(this.cpus),
      connections: this.options.rules.connections,
      composer_install: this.composerRan,
      ini: this.ini('head').trim().split('\n'),
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.running].map((server) => server.stop()))
    this.running.clear()
    this.relay?.close()
    await allOf([this.database?.close(), this.redis?.stop()])
    this.sqlite?.remove()
    this.database = undefined
    this.redis = undefined
  }

  private revisions(): Revision[] {
    return Object.keys(this.options.checkouts) as Revision[]
  }

  private served(revision: Revision): Served {
    return this.options.served[revision] as Served
  }

  /** PHP's settings, which may differ between revisions. */
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

  /** Loads the profiler, which no other server loads. */
  private profilerIni(): string {
    const directory = subdirectory(this.options.directory, 'ini-of-profiler')
    writeFileSync(join(directory, 'profiler.ini'), `extension = ${PROFILER}\n`)
    return directory
  }

  private environment(
    revision: Revision,
    { program = 'php', purpose, sqlite }: { program?: Php; purpose?: Purpose; sqlite?: string | undefined } = {},
  ): Record<string, string> {
    const scanned = [this.quietIni(program), this.iniDirectory(revision), ...(purpose === 'profile' ? [this.profilerIni()] : [])].join(':')
    return appEnvironment(this.served(revision), process.env, scanned, {
      database: this.databases?.app(revision),
      sqlite,
      redis: this.redis?.reached(revision),
    })
  }

  private bench(checkout: Checkout, files: string, rules: Rules): Record<string, string> {
    const served = this.served(checkout.revision)
    const { workloads } = served
    const { app, front } = entryOf(checkout, served)
    const under = (path: string): string => path && join(checkout.directory, path)
    const handlers = workloads.flatMap(({ name, builtIn }) => (builtIn ? [[name, join(builtIn.directory, 'handler.php')]] : []))
    return benchVariables(
      { project: checkout.directory, app: under(app), front: under(front), handlers: Object.fromEntries(handlers), directory: files },
      rules,
      this.databases?.bench(checkout.revision),
    )
  }

  private async prepareRevision(checkout: Checkout): Promise<void> {
    const { say, tools } = this.options
    const { revision } = checkout
    const env = this.environment(revision, { sqlite: this.sqlite?.create(revision) })
    await this.databases?.create(revision)
    const composerRan = await prepareFiles(checkout, { composer: tools.composer, setup: this.served(revision).setup, env, say })
    if (composerRan) this.composerRan.push(composerRan)
    await this.databases?.snapshot(revision)
    this.sqlite?.keep(revision)
  }
}
