/** The differences between kinds of database servers. */
import type { Language } from '../../config/database.ts'
import type { Partner } from '../../system/conversation.ts'

/** Runs statements, in a database or in none. @throws MeasurementError if the server refuses them or is gone */
export type Sql = (statements: string, database?: string) => Promise<string>

export interface Dialect {
  readonly language: Language
  /** Arguments of the client program, for statements on its standard input and rows with tabs on its output. */
  readonly rows: readonly string[]
  /** Arguments that choose a database. */
  within(database: string): string[]
  /** Makes a database anew. */
  create(name: string): string
  drop(name: string): string
  /**
   * Keeps the present content of a database.
   *
   * @param directory for a file
   * @returns the statements that bring it back
   * @throws MeasurementError
   */
  keep(name: string, directory: string, sql: Sql): Promise<() => string>
  readonly counters: Counters
}

/** How a client that stays is asked for the statements that the server has run so far. */
export interface Counters {
  /** One line for its standard input, which moves none of the counters but as Database takes off. */
  question: string
  partner: Partner
  /** @param row without its newline @returns the verb in lower case, and its count */
  parse(row: string): [verb: string, count: number]
}
