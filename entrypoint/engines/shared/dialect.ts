/** The differences between kinds of database servers. */
import type { Language } from '../../config/database.ts'
import type { Partner } from '../../system/conversation.ts'

/** Runs statements, in a database or in none. @throws MeasurementError if the server refuses them or is gone */
export type Sql = (statements: string, database?: string) => Promise<string>

export interface Dialect {
  readonly language: Language
  /** Arguments of the client program, for statements on standard input and tab-separated rows on standard output. */
  readonly rows: readonly string[]
  /** Arguments that select a database. */
  within(database: string): string[]
  /** Statements that create a database, or replace an existing one. */
  create(name: string): string
  drop(name: string): string
  /**
   * Keeps the current content of a database.
   *
   * @param directory the directory for a file
   * @returns a function that returns the statements that restore it
   * @throws MeasurementError
   */
  keep(name: string, directory: string, sql: Sql): Promise<() => string>
  readonly counters: Counters
  /** One line for the same client, whose answer is one row. It moves none of the counters. */
  readonly connections: { question: string; parse(row: string): number }
}

/** How to ask a running client for the number of statements so far. */
export interface Counters {
  /** One line for its standard input. It changes no counter, except as Database subtracts. */
  question: string
  partner: Partner
  /** @param row a line without its newline @returns the lower-case verb and its count */
  parse(row: string): [verb: string, count: number]
}
