/** The two databases of each revision: the app's, and the built-in workloads'. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Revision } from '../../config/experiment.ts'
import type { Served } from '../../config/rules.ts'
import type { Access, Database } from './database.ts'

export class RevisionDatabases {
  private readonly id = randomBytes(4).toString('hex')

  constructor(
    private readonly database: Database,
    private readonly served: Partial<Record<Revision, Pick<Served, 'workloads'>>>,
  ) {}

  get access(): Access {
    return this.database.access
  }

  app(revision: Revision): string {
    return `apb_${this.id}_${revision}`
  }

  bench(revision: Revision): string {
    return `apb_${this.id}_${revision}_bench`
  }

  /** Before composer and setup: config caches freeze what they see. */
  async create(revision: Revision): Promise<void> {
    await this.database.create(this.app(revision))
    await this.database.create(this.bench(revision))
  }

  /** After setup: what every run begins with. */
  async snapshot(revision: Revision): Promise<void> {
    for (const { builtIn } of this.served[revision]?.workloads ?? []) {
      if (builtIn?.schema) await this.database.sql(`USE \`${this.bench(revision)}\`;\n${readFileSync(builtIn.schema, 'utf8')}`)
    }
    await this.database.snapshot(this.app(revision))
    await this.database.snapshot(this.bench(revision))
  }

  async restore(revision: Revision): Promise<void> {
    await this.database.restore([this.app(revision), this.bench(revision)])
  }
}
