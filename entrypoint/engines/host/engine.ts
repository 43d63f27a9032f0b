/** The host engine: the runner's own PHP, web servers and database as child processes on private ports. */
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE } from '../../config/catalog.ts'
import { type DatabaseChoice, databaseOf } from '../../config/database.ts'
import type { Arm, Revision } from '../../config/experiment.ts'
import { modeIn, type Rules, type Served } from '../../config/rules.ts'
import type { Tools } from '../../provision/provision.ts'
import type { Checkout } from '../../revisions/work-trees.ts'
import { apart } from '../../system/environment.ts'
import { exec } from '../../system/exec.ts'
import { allowedCpus, type CpuSets, cpuSets, describeSets, localMachine } from '../../system/machine.ts'
import { subdirectory } from '../../system/scratch.ts'
import { allOf } from '../../system/settle-all.ts'
import type { CountedServer, Counter, Engine, EngineOptions, Purpose, Server, SidecarUses } from '../engine.ts'
import { benchPaths, benchVariables, countedConnections, purposeVariables } from '../shared/bench-variables.ts'
import { bundledClasses } from '../shared/classes.ts'
import { entryOf, frontFunctions } from '../shared/entry.ts'
import { appEnvironment } from '../shared/environment.ts'
import { iniFile } from '../shared/ini-file.ts'
import { usesOf } from '../shared/sidecar.ts'
import { needsUpstream } from '../shared/upstream.ts'
import { restoreComposerCache } from './composer-cache.ts'
import { countersHere } from './counting.ts'
import { IniFiles, type Php, phpOf } from './ini-files.ts'
import { prepareFiles } from './prepare-files.ts'
import { HostServer, type StartOptions } from './server.ts'
import { type HostServices, startServices, stopServices } from './services.ts'

export interface HostOptions extends EngineOptions {
  tools: Tools
}

/** The folder in which requests of runs write, one directory per run. */
const FILES = 'files'

export class HostEngine implements Engine {
  readonly name = 'host'
  readonly machine = localMachine
  private readonly choice: DatabaseChoice
  private readonly cpus: CpuSets
  private readonly ini: IniFiles
  /** Undefined before prepare() and after close(). */
  private services: HostServices | undefined
  private readonly running = new Set<Server>()
  private readonly classes: string
  private readonly composerRan: string[] = []

  constructor(private readonly options: HostOptions) {
    this.choice = databaseOf(options.rules.database)
    this.cpus = cpuSets(allowedCpus(), {
      database: this.hasOwnDatabase || options.rules.redis || needsUpstream(options.served),
      load: true,
    })
    this.classes = join(options.directory, 'classes.php')
    writeFileSync(this.classes, bundledClasses(join(PACKAGE, 'php', 'src')))
    const texts = Object.values(options.checkouts).map(({ revision }) => [revision, this.iniText(revision)])
    this.ini = new IniFiles(options.directory, Object.fromEntries(texts))
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
    const [services] = await allOf([startServices(this.options, binaries.php ?? 'php', this.cpus.database), this.ini.copyOwn(binaries)])
    this.services = services
    const packages = cache && composer ? await restoreComposerCache(all, { composer, env: this.environment('head') }, cache) : undefined
    for (const checkout of all) await this.prepareRevision(checkout)
    await packages?.save()
    // Makes ext4 place each run's directory far from the others, away from removed inodes: see emptyFiles(). Other file systems refuse
    // the flag.
    await exec(['chattr', '+T', subdirectory(this.options.directory, FILES)], apart())
  }

  async restore(revision: Revision): Promise<void> {
    await allOf([this.services?.databases?.restore(revision), this.services?.redis?.empty(revision)])
  }

  async start(arm: Arm, purpose: Purpose): Promise<Server> {
    return this.serve(arm, purpose, {})
  }

  counters(): Promise<Counter[]> {
    return countersHere()
  }

  async startCounted(arm: Arm, counter: Counter): Promise<CountedServer> {
    const { connections } = this.options.rules
    const counted = arm.mode.via === 'runtime' ? countedConnections(arm.mode.runtime, connections) : 1
    return this.serve(arm, 'measurement', { counter, connections: counted })
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
        ...this.environment(arm.revision, { program: phpOf(arm.mode), purpose, sqlite: this.services?.sqlite?.copy(arm) }),
        ...this.bench(checkout, files, rules),
        ...purposeVariables(purpose, rules),
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
    return (await this.services?.database?.statementCounts()) ?? {}
  }

  async databaseConnections(): Promise<number | undefined> {
    return this.hasOwnDatabase ? this.services?.database?.connections() : undefined
  }

  async sidecarUses(): Promise<SidecarUses> {
    return usesOf([this.services?.relay, this.services?.upstream])
  }

  async assertAlive(): Promise<void> {
    await allOf([this.statementCounts(), this.services?.redis?.assertAlive(), this.sidecarUses()])
  }

  describe(): Record<string, unknown> {
    const { database, sqlite, redis } = this.services ?? {}
    return {
      engine: this.name,
      machine: this.machine.description,
      database: database?.description ?? sqlite?.description ?? null,
      redis: redis?.description ?? null,
      cpu_sets: describeSets(this.cpus),
      connections: this.options.rules.connections,
      composer_install: this.composerRan,
      ini: this.iniText('head').trim().split('\n'),
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.running].map((server) => server.stop()))
    this.running.clear()
    const { services } = this
    this.services = undefined
    if (services) await stopServices(services)
  }

  private served(revision: Revision): Served {
    return this.options.served[revision] as Served
  }

  /** PHP's settings, which may differ between revisions. */
  private iniText(revision: Revision): string {
    return iniFile(this.served(revision), this.options.tools.extensionFiles)
  }

  private environment(
    revision: Revision,
    { program = 'php', purpose, sqlite }: { program?: Php; purpose?: Purpose; sqlite?: string | undefined } = {},
  ): Record<string, string> {
    return appEnvironment(this.served(revision), process.env, this.ini.scanned(program, revision, purpose), {
      database: this.services?.databases?.app(revision),
      sqlite,
      redis: this.services?.redis?.reached(revision),
    })
  }

  private bench(checkout: Checkout, files: string, rules: Rules): Record<string, string> {
    const served = this.served(checkout.revision)
    const paths = benchPaths(entryOf(checkout, served), served.workloads, {
      project: checkout.directory,
      directory: files,
      handlerOf: (_name, { directory }) => join(directory, 'handler.php'),
    })
    const { databases, upstream } = this.services ?? {}
    return benchVariables(paths, rules, { database: databases?.bench(checkout.revision), upstream: upstream?.address })
  }

  private async prepareRevision(checkout: Checkout): Promise<void> {
    const { say, tools } = this.options
    const { revision } = checkout
    const { databases, sqlite } = this.services ?? {}
    const env = this.environment(revision, { sqlite: sqlite?.create(revision) })
    await databases?.create(revision)
    const composerRan = await prepareFiles(checkout, { composer: tools.composer, setup: this.served(revision).setup, env, say })
    if (composerRan) this.composerRan.push(composerRan)
    await databases?.snapshot(revision)
    sqlite?.keep(revision)
  }
}
