/** The docker engine: an image a revision, a container an arm, on whatever machine the daemon runs. */
import { randomBytes } from 'node:crypto'
import type { Arm, Mode, Revision } from '../../config/experiment.ts'
import { modeIn, type Rules, type Served } from '../../config/rules.ts'
import { areApart } from '../../plan/arm-order.ts'
import type { Checkout } from '../../revisions/work-trees.ts'
import { MeasurementError, messageOf } from '../../system/errors.ts'
import { type CpuSets, cpuSets, describeSets, type Machine } from '../../system/machine.ts'
import { allOf } from '../../system/settle-all.ts'
import type { Engine, Purpose, Server } from '../engine.ts'
import { composerCommand } from '../shared/composer.ts'
import { Database, lastLines } from '../shared/database.ts'
import { appEnvironment, benchVariables, iniFile, purposeVariables, workersOf } from '../shared/environment.ts'
import { RevisionDatabases } from '../shared/revision-databases.ts'
import { containerDatabase, databaseImage, databaseName } from './container/database-server.ts'
import { ContainerMachine } from './container/machine.ts'
import { findRoute, type Place, type Route } from './container/route.ts'
import { ContainerServer } from './container/server.ts'
import { runSteps } from './container/steps.ts'
import { type Daemon, docker, lastLinesOf, tryDocker } from './daemon/docker.ts'
import { type Labels, labelsOf, removeJob, removeLeftovers } from './daemon/labels.ts'
import { removeBuilder, removeForgottenBuilders } from './image/build-cache.ts'
import { OURS, portOf, portsOf, quoted, SCRATCH } from './image/dockerfiles.ts'
import { buildImage, type Image } from './image/images.ts'

export interface DockerEngineOptions {
  rules: Rules
  /** What each revision serves. */
  served: Partial<Record<Revision, Served>>
  daemon: Daemon
  checkouts: Partial<Record<Revision, Checkout>>
  /** Private directory of the job. */
  directory: string
  /** Progress, a line each. */
  say: (line: string) => void
}

export class DockerEngine implements Engine {
  readonly name = 'docker'
  private readonly job = randomBytes(4).toString('hex')
  private readonly labels: Labels = labelsOf(this.job)
  private readonly network = `async-php-bench-${this.job}`
  private readonly cpus: CpuSets
  private readonly memory: string
  private readonly images: Partial<Record<Revision, Image>> = {}
  private readonly running = new Set<Server>()
  private database: Database | undefined
  private databases: RevisionDatabases | undefined
  private container: ContainerMachine | undefined
  private route: Route = { via: 'address' }
  private isReadOnly: boolean
  private readonly composerRan: string[] = []

  constructor(private readonly options: DockerEngineOptions) {
    const { rules, daemon } = options
    this.cpus = cpuSets([...Array(daemon.cpus).keys()], { database: this.hasDatabase, load: daemon.host === undefined })
    // Half of the machine, the same for every arm; the other half is the database's and the load's.
    this.memory = rules.limits.memory ?? `${Math.floor(daemon.memoryBytes / 2 ** 21)}m`
    this.isReadOnly = rules.limits['read-only']
  }

  get hasDatabase(): boolean {
    return this.options.rules.database !== 'none'
  }

  /** An external one is refused. */
  get hasOwnDatabase(): boolean {
    return this.hasDatabase
  }

  get loadCpus(): string | undefined {
    return this.cpus.load
  }

  get machine(): Machine {
    if (!this.container) throw new Error('prepare() comes first')
    return this.container
  }

  async prepare(): Promise<void> {
    const { rules, daemon } = this.options
    if (rules.database.startsWith('mysql://')) {
      throw new MeasurementError(
        'database: a URL works with the host engine only. In containers the database is one, too: auto, mariadb or mysql.',
      )
    }
    await removeLeftovers()
    await removeForgottenBuilders()
    await docker(['network', 'create', ...this.labels.flags, this.network])
    await allOf([this.startDatabase(), this.buildImages()])
    await removeBuilder()
    for (const checkout of this.checkouts()) await this.prepareRevision(checkout)
    const { tag } = this.image('head')
    if (!this.hasDatabase) this.route = await findRoute(daemon.host, this.labels, this.network, tag)
    this.container = await ContainerMachine.start(this.labels, tag, daemon)
    await this.tryOut()
  }

  async restore(revision: Revision): Promise<void> {
    await this.databases?.restore(revision)
  }

  async start(arm: Arm, purpose: Purpose): Promise<Server> {
    const server = await this.startContainer(arm, purpose)
    this.running.add(server)
    return server
  }

  async statementCounts(): Promise<Record<string, number>> {
    return this.database ? this.database.statementCounts() : {}
  }

  async assertAlive(): Promise<void> {
    // It lives as long as the daemon does: one that went and came back has lost every container.
    if (this.container?.over !== undefined) throw new MeasurementError(`The Docker daemon went away during the job: ${this.container.over}`)
    const answer = await tryDocker(['version', '--format', '{{.Server.Version}}'])
    if (answer.code !== 0) throw new MeasurementError(`The Docker daemon no longer answers: ${lastLinesOf(answer, 3)}`)
    await this.statementCounts()
  }

  facts(): Record<string, unknown> {
    const { rules, daemon } = this.options
    const { version, storage, cgroup, host } = daemon
    return {
      engine: this.name,
      machine: this.machine.description,
      docker: {
        daemon: version,
        storage,
        cgroup,
        remote: host !== undefined,
        images: Object.fromEntries(Object.entries(this.images).map(([revision, image]) => [revision, image.facts])),
        memory: this.memory,
        cpu_sets: describeSets(this.cpus),
        read_only: this.isReadOnly,
        reached_by: this.route.via === 'address' ? 'address of the container' : 'published port',
      },
      database: this.database?.description ?? null,
      connections: rules.connections,
      composer_install: this.composerRan,
      ini: iniFile(this.served('head'), []).trim().split('\n'),
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.running].map((server) => server.stop()))
    this.running.clear()
    this.container?.close()
    await removeBuilder()
    const failures = await removeJob(this.job)
    if (failures.length) throw new MeasurementError(`not removed: ${failures.join('; ')}`)
  }

  private get place(): Place {
    return { network: this.network, owner: this.hasDatabase ? databaseName(this.labels) : undefined }
  }

  private get modes(): Mode[] {
    return this.served('head').modes
  }

  private served(revision: Revision): Served {
    return this.options.served[revision] as Served
  }

  private checkouts(): Checkout[] {
    return Object.values(this.options.checkouts)
  }

  private image(revision: Revision): Image {
    return this.images[revision] as Image
  }

  private async startDatabase(): Promise<void> {
    if (!this.hasDatabase) return
    const { rules, daemon, directory, served, say } = this.options
    say('starting the database')
    const { labels, network, cpus } = this
    const image = await databaseImage(rules, (served.base ?? this.served('head')).docker.base, directory, say)
    this.route = await findRoute(daemon.host, labels, network, image)
    const { route } = this
    const server = await containerDatabase({
      rules,
      daemon,
      labels,
      network,
      route,
      ports: portsOf(this.modes),
      image,
      cpus: cpus.database,
    })
    this.database = new Database(server, directory)
    this.databases = new RevisionDatabases(this.database, served)
  }

  private async buildImages(): Promise<void> {
    const { rules, directory, say } = this.options
    const { labels, hasDatabase } = this
    for (const checkout of this.checkouts()) {
      const served = this.served(checkout.revision)
      const request = { served, connections: rules.connections, checkout, hasDatabase, cpus: this.cpus.appCpus, labels, directory, say }
      this.images[checkout.revision] = await buildImage(request)
    }
  }

  private async prepareRevision({ revision, directory }: Checkout): Promise<void> {
    const { setup } = this.served(revision)
    const image = this.image(revision)
    await this.databases?.create(revision)
    const composer = image.isCheckout ? composerCommand(directory) : undefined
    const steps = [...(composer ? [['composer', ...composer].map(quoted).join(' ')] : []), ...setup]
    if (composer) this.composerRan.push(`${revision}: ${composer.join(' ')}`)
    if (steps.length) {
      await runSteps(steps, {
        revision,
        image,
        environment: this.environment(revision),
        place: this.place,
        labels: this.labels,
        memory: this.memory,
        cgroup: this.options.daemon.cgroup,
        say: this.options.say,
      })
    }
    await this.databases?.snapshot(revision)
  }

  private environment(revision: Revision): Record<string, string> {
    const database = this.databases && { access: this.databases.access, name: this.databases.app(revision) }
    const { scanned } = this.image(revision)
    return appEnvironment(this.served(revision), {}, `${scanned}:${OURS}/ini`, database)
  }

  private async startContainer(arm: Arm, purpose: Purpose): Promise<ContainerServer> {
    const { rules, daemon } = this.options
    const { workloads } = this.served(arm.revision)
    const { tag, project, entry } = this.image(arm.revision)
    const handlers = workloads.flatMap(({ name, builtIn }) => (builtIn ? [[name, `${OURS}/workloads/${name}/handler.php`]] : []))
    const paths = {
      project,
      app: entry.app && `${project}/${entry.app}`,
      front: entry.front && `${project}/${entry.front}`,
      handlers: Object.fromEntries(handlers),
      directory: `${SCRATCH}/files`,
    }
    const database = this.databases && { access: this.databases.access, name: this.databases.bench(arm.revision) }
    return ContainerServer.start(modeIn(this.served(arm.revision), arm.mode), {
      revision: arm.revision,
      image: tag,
      project,
      place: this.place,
      port: portOf(arm.revision, arm.mode, this.modes),
      labels: this.labels,
      route: this.route,
      environment: { ...this.environment(arm.revision), ...benchVariables(paths, rules, database), ...purposeVariables(purpose) },
      workers: arm.mode.via === 'runtime' ? workersOf(arm.mode.runtime, rules.connections, this.cpus.appCpus) : 1,
      cpus: this.cpus.app,
      memory: this.memory,
      isReadOnly: this.isReadOnly,
      cgroup: daemon.cgroup,
    })
  }

  /** Finds out, before anything is timed, whether every image runs with a read-only root. */
  private async tryOut(): Promise<void> {
    if (!this.isReadOnly) return
    const { modes } = this
    const arms = this.checkouts().flatMap(({ revision }) => modes.map((mode) => ({ revision, mode })))
    for (const together of areApart(modes) ? [arms] : arms.map((arm) => [arm])) {
      const ends = await Promise.allSettled(together.map((arm) => this.startAndStop(arm)))
      const failed = ends.findIndex(({ status }) => status === 'rejected')
      if (failed >= 0) return this.giveUpReadOnly(together[failed] as Arm, (ends[failed] as PromiseRejectedResult).reason)
    }
  }

  /** @param error why the arm did not start */
  private async giveUpReadOnly(arm: Arm, error: unknown): Promise<void> {
    this.isReadOnly = false
    try {
      await this.startAndStop(arm)
    } catch {
      // It is not the file system: the first error, of the arrangement that was wanted, says what is wrong.
      throw error
    }
    const { say } = this.options
    say(`warning: ${arm.mode.name} of ${arm.revision} does not start on a read-only root file system, so every arm gets a writable one`)
    say(lastLines(messageOf(error), 3))
  }

  private async startAndStop(arm: Arm): Promise<void> {
    await (await this.startContainer(arm, 'preflight')).stop()
  }
}
