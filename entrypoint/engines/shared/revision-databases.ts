/** The databases of each revision: the app's and, if a built-in workload needs one, the workloads'. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Revision } from '../../config/experiment.ts'
import type { Served } from '../../config/rules.ts'
import type { Database, Reached } from './database.ts'

export class RevisionDatabases {
  private readonly id = randomBytes(4).toString('hex')

  constructor(
    private readonly database: Database,
    private readonly served: Partial<Record<Revision, Pick<Served, 'workloads'>>>,
  ) {}

  app(revision: Revision): Reached {
    return this.database.reached(this.names(revision).app)
  }

  /** The database of the built-in workloads. */
  bench(revision: Revision): Reached | undefined {
    const { bench } = this.names(revision)
    return bench === undefined ? undefined : this.database.reached(bench)
  }

  /** Called before Composer and setup, because config caches freeze the settings. */
  async create(revision: Revision): Promise<void> {
    await this.database.create(this.all(revision))
  }

  /** Called after setup. Every run begins with this content. */
  async snapshot(revision: Revision): Promise<void> {
    const { bench } = this.names(revision)
    for (const { builtIn } of this.served[revision]?.workloads ?? []) {
      if (builtIn?.schema && bench) await this.database.sql(readFileSync(builtIn.schema, 'utf8'), bench)
    }
    await Promise.all(this.all(revision).map((name) => this.database.snapshot(name)))
  }

  async restore(revision: Revision): Promise<void> {
    await this.database.restore(this.all(revision))
  }

  private all(revision: Revision): string[] {
    return Object.values(this.names(revision))
  }

  private names(revision: Revision): { app: string; bench?: string } {
    const app = `apb_${this.id}_${revision}`
    const needsBench = this.served[revision]?.workloads.some(({ builtIn }) => builtIn?.database)
    return needsBench ? { app, bench: `${app}_bench` } : { app }
  }
}
