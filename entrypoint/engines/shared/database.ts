/** Databases on a server: made, filled, snapshot and restored. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MeasurementError } from '../../system/errors.ts'
import type { Finished } from '../../system/exec.ts'
import { lastLines } from '../../system/tail.ts'

export interface Access {
  host: string
  port: number
  user: string
  password: string
}

/** A database server of ours or of the user's; each engine has its own way to reach it. */
export interface DatabaseServer {
  /** How the app reaches it. */
  readonly access: Access
  readonly description: Record<string, unknown>
  /** Runs the client program, logged in. */
  client(args: string[], input?: string): Promise<Finished>
  /** Runs the dump program, logged in. */
  dump(args: string[]): Promise<Finished>
  /** A sentence if the server is gone. */
  lost(): Promise<string | undefined>
  /** Ends a private server. An external one goes on; its databases are dropped by then. */
  stop(): Promise<void>
}

/** Settings of a private server. Named in the report: durability decides what a write costs. */
export const SERVER_SETTINGS = {
  'innodb-buffer-pool-size': '1G',
  // MariaDB's name, and that of MySQL since 8.0.30; a server warns of the one that it does not know.
  'loose-innodb-log-file-size': '256M',
  'loose-innodb-redo-log-capacity': '256M',
  'innodb-flush-log-at-trx-commit': '2',
  'innodb-flush-method': 'fsync',
  'innodb-doublewrite': '0',
  'max-connections': '1200',
  'character-set-server': 'utf8mb4',
} as const

export class Database {
  private readonly snapshots = new Map<string, string>()
  private readonly created: string[] = []
  /** Statements that a reading of the counters adds to them: MySQL's client selects the server's version when it connects. */
  private perReading: Record<string, number> | undefined
  private readings = 0

  /** @param directory for snapshots */
  constructor(
    private readonly server: DatabaseServer,
    private readonly directory: string,
  ) {}

  get access(): Access {
    return this.server.access
  }

  get description(): Record<string, unknown> {
    return this.server.description
  }

  async create(name: string): Promise<void> {
    await this.sql(`DROP DATABASE IF EXISTS \`${name}\`; CREATE DATABASE \`${name}\``)
    this.created.push(name)
  }

  /** Keeps the present content of a database, tables, routines and triggers, as what restore() brings back. */
  async snapshot(name: string): Promise<void> {
    const dumped = await this.server.dump(['--single-transaction', '--routines', '--triggers', '--events', '--hex-blob', name])
    if (dumped.code !== 0) throw new MeasurementError(`The database ${name} cannot be dumped: ${lastLines(dumped.stderr)}`)
    const file = join(this.directory, `${name}.sql`)
    writeFileSync(file, dumped.stdout, { mode: 0o600 })
    this.snapshots.set(name, file)
  }

  /** Brings the snapshots back, so that a run never starts with another run's rows. */
  async restore(names: readonly string[]): Promise<void> {
    const restoring = names.map(
      (name) =>
        `DROP DATABASE \`${name}\`; CREATE DATABASE \`${name}\`; USE \`${name}\`; SET foreign_key_checks = 0;\n${readFileSync(this.snapshots.get(name) as string, 'utf8')}\n`,
    )
    await this.sql(restoring.join(''))
  }

  /** @throws MeasurementError if the server refuses it or is gone */
  async sql(statements: string): Promise<string> {
    const done = await this.server.client(['-N', '--batch'], statements)
    if (done.code !== 0)
      throw new MeasurementError((await this.server.lost()) ?? `The database refused a statement: ${lastLines(done.stderr)}`)
    return done.stdout
  }

  /** Statements that the server has run so far, by verb in lower case, without those of the readings themselves. @throws MeasurementError as sql() */
  async statementCounts(): Promise<Record<string, number>> {
    this.perReading ??= difference(await this.readCounts(), await this.readCounts())
    const counts = await this.readCounts()
    this.readings++
    return Object.fromEntries(Object.entries(counts).map(([verb, count]) => [verb, count - this.readings * (this.perReading?.[verb] ?? 0)]))
  }

  private async readCounts(): Promise<Record<string, number>> {
    const rows = await this.sql("SHOW GLOBAL STATUS WHERE Variable_name IN ('Com_insert', 'Com_select', 'Com_update', 'Com_delete')")
    return Object.fromEntries(
      rows
        .trim()
        .split('\n')
        .map((row) => row.split('\t'))
        .map(([name, count]) => [(name as string).slice(4).toLowerCase(), Number(count)]),
    )
  }

  async close(): Promise<void> {
    for (const name of this.created) await this.server.client(['-e', `DROP DATABASE IF EXISTS \`${name}\``])
    await this.server.stop()
  }
}

function difference(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(after).map(([verb, count]) => [verb, count - (before[verb] ?? 0)]))
}
