/** Creates, fills, snapshots and restores databases on a server. */
import type { Language } from '../../config/database.ts'
import type { Conversation, Partner } from '../../system/conversation.ts'
import { MeasurementError, messageOf } from '../../system/errors.ts'
import type { Finished } from '../../system/exec.ts'
import { lastLines } from '../../system/tail.ts'
import type { Dialect } from './dialect.ts'

export interface Access {
  host: string
  port: number
  user: string
  password: string
}

/** A database, with its address for the app. */
export interface Reached {
  language: Language
  access: Access
  name: string
}

/** A private or external database server. Each engine has its own way to reach it. */
export interface DatabaseServer {
  readonly dialect: Dialect
  /** Its address and login, for the app. */
  readonly access: Access
  readonly description: Record<string, unknown>
  /** Whether it ends with the job, together with all databases. */
  readonly isPrivate: boolean
  /** Runs the client program, logged in. */
  client(args: string[], input?: string): Promise<Finished>
  /** Starts the client program, logged in, as a process that answers statement after statement. */
  converse(args: string[], partner: Partner): Conversation
  /** A sentence if the server is gone. */
  lost(): Promise<string | undefined>
  /** Ends a private server. An external one continues, but its databases are dropped by then. */
  stop(): Promise<void>
}

export class Database {
  /** Statements that restore a database, by its name. */
  private readonly snapshots = new Map<string, () => string>()
  private readonly created: string[] = []
  /** Statements that reading the counters adds to them: MySQL's client selects the server's version when it connects. */
  private perReading: Record<string, number> | undefined
  private readings = 0
  private reader: Conversation | undefined

  /** @param directory for snapshots */
  constructor(
    private readonly server: DatabaseServer,
    private readonly directory: string,
  ) {}

  get description(): Record<string, unknown> {
    return this.server.description
  }

  /** A database, with its address for the app. */
  reached(name: string): Reached {
    return { language: this.server.dialect.language, access: this.server.access, name }
  }

  async create(names: readonly string[]): Promise<void> {
    await this.sql(names.map((name) => this.server.dialect.create(name)).join('\n'))
    this.created.push(...names)
  }

  /** Keeps the current content of a database for restore(). */
  async snapshot(name: string): Promise<void> {
    const sql = (statements: string, database?: string): Promise<string> => this.sql(statements, database)
    this.snapshots.set(name, await this.server.dialect.keep(name, this.directory, sql))
  }

  /** Restores the snapshots, so that no run starts with another run's rows. */
  async restore(names: readonly string[]): Promise<void> {
    await this.sql(names.map((name) => this.snapshots.get(name)?.() ?? '').join(''))
  }

  /** @param database the database for the statements, or none @throws MeasurementError if the server refuses them or is gone */
  async sql(statements: string, database?: string): Promise<string> {
    const { dialect } = this.server
    const done = await this.server.client([...dialect.rows, ...(database === undefined ? [] : dialect.within(database))], statements)
    if (done.code !== 0)
      throw new MeasurementError((await this.server.lost()) ?? `The database refused a statement: ${lastLines(done.stderr)}`)
    return done.stdout
  }

  /** The statements that the server has run so far, by lower-case verb, without those of the readings. @throws MeasurementError as sql() */
  async statementCounts(): Promise<Record<string, number>> {
    this.perReading ??= difference(await this.readCounts(), await this.readCounts())
    const counts = await this.readCounts()
    this.readings++
    return Object.fromEntries(Object.entries(counts).map(([verb, count]) => [verb, count - this.readings * (this.perReading?.[verb] ?? 0)]))
  }

  /** Clients that the server has now, this one among them. @throws MeasurementError as sql() */
  async connections(): Promise<number> {
    const { question, parse } = this.server.dialect.connections
    const [row] = await this.askReader(question)
    return row === undefined ? 0 : parse(row)
  }

  private async readCounts(): Promise<Record<string, number>> {
    const { question } = this.server.dialect.counters
    const rows = await this.askReader(question).catch(() => this.askReader(question))
    return Object.fromEntries(rows.map((row) => this.server.dialect.counters.parse(row)))
  }

  /** Asks a client that stays, because starting one takes as long as a dozen answers. An administrator or a time-out may have ended it. */
  private async askReader(question: string): Promise<string[]> {
    const { rows, counters } = this.server.dialect
    this.reader = this.reader && this.reader.over === undefined ? this.reader : this.server.converse([...rows], counters.partner)
    try {
      return await this.reader.ask(question)
    } catch (error) {
      this.reader.close()
      throw new MeasurementError((await this.server.lost()) ?? `The database's counters cannot be read: ${messageOf(error)}`)
    }
  }

  async close(): Promise<void> {
    this.reader?.close()
    const drop = this.created.map((name) => this.server.dialect.drop(name))
    // Each drop by itself, so that a refused one does not prevent the others.
    if (!this.server.isPrivate) for (const statements of drop) await this.sql(statements).catch(() => {})
    await this.server.stop()
  }
}

function difference(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(after).map(([verb, count]) => [verb, count - (before[verb] ?? 0)]))
}
