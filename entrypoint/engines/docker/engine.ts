/** The docker engine: one image per revision and one container per arm, on the daemon's machine. */
import { besideContainers } from '../../config/database.ts'
import type { Arm, Revision } from '../../config/experiment.ts'
import { InputError, MeasurementError } from '../../system/errors.ts'
import { printed } from '../../system/exec.ts'
import { describeSets, type Machine } from '../../system/machine.ts'
import { allOf } from '../../system/settle-all.ts'
import { lastLines } from '../../system/tail.ts'
import type { CountedServer, Counter, Engine, Purpose, Server, SidecarUses } from '../engine.ts'
import { iniFile } from '../shared/ini-file.ts'
import { usesOf } from '../shared/sidecar.ts'
import { describeSqlite } from '../shared/sqlite.ts'
import { startArm } from './arm.ts'
import { hasValgrind } from './container/counting.ts'
import { tryDocker } from './daemon/docker.ts'
import { removeJob, removeLeftovers } from './daemon/labels.ts'
import { refuseHostOnly } from './host-only.ts'
import { removeBuilder, removeForgottenBuilders } from './image/build-cache.ts'
import { type DockerEngineOptions, type DockerJob, jobOf, servedBy } from './job.ts'
import { type Prepared, prepareJob } from './prepare.ts'
import { canBeReadOnly } from './read-only.ts'

export class DockerEngine implements Engine {
  readonly name = 'docker'
  private readonly job: DockerJob
  private readonly running = new Set<Server>()
  private readied: Prepared | undefined
  private isReadOnly: boolean

  constructor(options: DockerEngineOptions) {
    this.job = jobOf(options)
    this.isReadOnly = options.rules.limits['read-only']
  }

  get hasDatabase(): boolean {
    return this.job.rules.database !== 'none'
  }

  /** An external database is refused. */
  get hasOwnDatabase(): boolean {
    return this.job.onServer !== undefined
  }

  get loadCpus(): string | undefined {
    return this.job.cpus.load
  }

  get appCpus(): number {
    return this.job.cpus.appCpus
  }

  get machine(): Machine {
    return this.prepared.machine
  }

  async prepare(): Promise<void> {
    const { job } = this
    if (job.onServer?.from === 'url') {
      throw new InputError(`database: ${besideContainers()}`)
    }
    refuseHostOnly(job)
    await removeLeftovers()
    await removeForgottenBuilders()
    const prepared = await prepareJob(job)
    this.readied = prepared
    if (!this.isReadOnly) return
    this.isReadOnly = await canBeReadOnly(job, async (arm, isReadOnly) => {
      await (await startArm(job, prepared, arm, { purpose: 'preflight', isReadOnly })).stop()
    })
  }

  async restore(revision: Revision): Promise<void> {
    await allOf([this.prepared.databases?.restore(revision), this.prepared.redis?.empty(revision)])
  }

  async start(arm: Arm, purpose: Purpose): Promise<Server> {
    const server = await startArm(this.job, this.prepared, arm, { purpose, isReadOnly: this.isReadOnly })
    this.running.add(server)
    return server
  }

  /** perf would need rights that no container of ours has. */
  async counters(): Promise<Counter[]> {
    const { images } = this.prepared
    const have = await allOf(Object.values(images).map(({ tag }) => hasValgrind(tag, this.job.labels)))
    return have.every(Boolean) ? ['valgrind'] : []
  }

  async startCounted(arm: Arm): Promise<CountedServer> {
    const options = { purpose: 'measurement', isReadOnly: this.isReadOnly, isCounted: true } as const
    const server = await startArm(this.job, this.prepared, arm, options)
    this.running.add(server)
    return server
  }

  async statementCounts(): Promise<Record<string, number>> {
    return (await this.prepared.database?.statementCounts()) ?? {}
  }

  async databaseConnections(): Promise<number | undefined> {
    return this.prepared.database?.connections()
  }

  async sidecarUses(): Promise<SidecarUses> {
    return usesOf([this.prepared.relay])
  }

  async assertAlive(): Promise<void> {
    // It lives as long as the daemon. A daemon that was restarted has lost every container.
    const { over } = this.prepared.machine
    if (over !== undefined) throw new MeasurementError(`The Docker daemon went away during the job: ${over}`)
    const answer = await tryDocker(['version', '--format', '{{.Server.Version}}'])
    if (answer.code !== 0) throw new MeasurementError(`The Docker daemon no longer responds: ${lastLines(printed(answer), 3)}`)
    await allOf([this.statementCounts(), this.prepared.redis?.assertAlive()])
  }

  describe(): Record<string, unknown> {
    const { rules, daemon, memory, cpus } = this.job
    const { version, storage, cgroup, host } = daemon
    const { images, route, database, redis, composerRan } = this.prepared
    return {
      engine: this.name,
      machine: this.machine.description,
      docker: {
        daemon: version,
        storage,
        cgroup,
        remote: host !== undefined,
        images: Object.fromEntries(Object.entries(images).map(([revision, image]) => [revision, image.record])),
        memory,
        cpu_sets: describeSets(cpus),
        read_only: this.isReadOnly,
        reached_by: route.via === 'address' ? 'address of the container' : 'published port',
      },
      database: database?.description ?? (rules.database === 'sqlite' ? describeSqlite('disk') : null),
      redis: redis?.description ?? null,
      connections: rules.connections,
      composer_install: composerRan,
      ini: iniFile(servedBy(this.job, 'head'), []).trim().split('\n'),
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.running].map((server) => server.stop()))
    this.running.clear()
    this.readied?.machine.close()
    this.readied?.relay?.close()
    await removeBuilder()
    const failures = await removeJob(this.job.id)
    if (failures.length) throw new MeasurementError(`not removed: ${failures.join('; ')}`)
  }

  private get prepared(): Prepared {
    if (!this.readied) throw new Error('prepare() comes first')
    return this.readied
  }
}
