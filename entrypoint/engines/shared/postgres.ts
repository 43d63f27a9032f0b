/** PostgreSQL: its statements, and the settings of a private server. */
import type { Dialect } from './dialect.ts'

/**
 * Settings of a private server. The report names them, because durability decides how much a write costs. A commit hands its log to the
 * kernel and does not wait for the disk, as in MYSQL_SETTINGS.
 */
export const POSTGRES_SETTINGS = {
  shared_buffers: '1GB',
  max_wal_size: '1GB',
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // It would run during some runs only. Each snapshot is vacuumed and analysed instead.
  autovacuum: 'off',
  max_connections: '1200',
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_utility': 'off',
  'pg_stat_statements.max': '10000',
  'pg_stat_statements.save': 'off',
} as const

/** Prepares a new server. The user has every right that an app's migrations may need. Pure. */
export function welcome(password: string): string {
  return `CREATE ROLE bench SUPERUSER LOGIN PASSWORD '${password}';\nCREATE EXTENSION pg_stat_statements;\n`
}

/** Matches what precedes the verb: blanks, comments and brackets. */
const BEFORE_VERB = String.raw`^(\s|\(|--[^\n]*\n|/\*([^*]|\*[^/])*\*/)*`

/** Counts statements of every database except the one that asks. */
const STATEMENTS = `SELECT verb, sum(calls) FROM (SELECT lower(substring(regexp_replace(query, '${BEFORE_VERB}', '') FROM '^[A-Za-z]+')) AS verb, calls FROM pg_stat_statements WHERE dbid <> (SELECT oid FROM pg_database WHERE datname = current_database())) AS counted WHERE verb IS NOT NULL GROUP BY verb ORDER BY verb;`

const CLIENTS = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend';"

/** Prints nothing, and fails if the server is gone. */
const ALIVE = "SET application_name = 'async-php-bench';"

export interface PostgresServer {
  /** The version that the server reports, such as 15.20. */
  version: string
  /** Whether it counts statements, which needs an extension. */
  isCounting: boolean
}

export function postgres({ version, isCounting }: PostgresServer): Dialect {
  // By default newer versions write each page to the log: 640 ms for an empty database. Copying its files takes 70 ms.
  const strategy = Number.parseInt(version, 10) >= 15 ? ' STRATEGY FILE_COPY' : ''
  const create = (name: string, template = 'template1'): string => `CREATE DATABASE "${name}" TEMPLATE "${template}"${strategy};`
  const drop = (name: string): string => `DROP DATABASE IF EXISTS "${name}" WITH (FORCE);`
  return {
    language: 'postgres',
    rows: ['--no-psqlrc', '--quiet', '--no-align', '--tuples-only', '--field-separator=\t', '--set=ON_ERROR_STOP=1'],
    within: (database) => [`--dbname=${database}`],
    create: (name) => `${drop(name)}\n${create(name)}`,
    drop: (name) => `${drop(name)}\n${drop(snapshotOf(name))}`,
    keep: async (name, _directory, sql) => {
      await sql('VACUUM (ANALYZE);', name)
      // A database that serves as template may have no other client.
      await sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}';\n${drop(snapshotOf(name))}\n${create(snapshotOf(name), name)}`,
      )
      return () => `${drop(name)}\n${create(name, snapshotOf(name))}\n`
    },
    counters: {
      question: `${isCounting ? STATEMENTS : ALIVE}\n\\echo .`,
      partner: { name: 'The database client', end: /^\.\n/m },
      parse: (row) => {
        const [verb, count] = row.split('\t') as [string, string]
        return [verb, Number(count)]
      },
    },
    connections: {
      question: `${CLIENTS}\n\\echo .`,
      parse: Number,
    },
  }
}

function snapshotOf(name: string): string {
  return `${name}_snapshot`
}
