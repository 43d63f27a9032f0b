/** Reads `database`: a private server, an external one, a file, or none. Pure. */

/** The SQL dialect and protocol of a server. MariaDB has MySQL's. */
export type Language = 'mysql' | 'postgres'

export type DatabaseChoice =
  | { from: 'none' }
  /** SQLite: the app's own processes read and write it. */
  | { from: 'file' }
  | { from: 'job'; language: 'mysql'; kind: 'auto' | 'mariadb' | 'mysql' }
  | { from: 'job'; language: 'postgres'; kind: 'postgres' }
  | { from: 'url'; language: Language; url: string }

/** A database on a server, which has a language, an address and counters. */
export type OnServer = Extract<DatabaseChoice, { language: Language }>

/** Values that are one word. */
export const DATABASE_WORDS = ['auto', 'mariadb', 'mysql', 'postgres', 'sqlite', 'none'] as const
export const URL_FORMS = 'mysql://user:password@host:port, or postgres://user:password@host:port'
export const DATABASE_URL = /^(mysql|postgres|postgresql):\/\/\S+$/

/** @param database the validated value of the configuration */
export function databaseOf(database: string): DatabaseChoice {
  if (database === 'none') return { from: 'none' }
  if (database === 'sqlite') return { from: 'file' }
  if (database === 'postgres') return { from: 'job', language: 'postgres', kind: database }
  if (database === 'auto' || database === 'mariadb' || database === 'mysql') return { from: 'job', language: 'mysql', kind: database }
  return { from: 'url', language: database.startsWith('mysql') ? 'mysql' : 'postgres', url: database }
}

export function isOnServer(choice: DatabaseChoice): choice is OnServer {
  return 'language' in choice
}

/** The fault of a URL, or undefined. It does not quote the URL, which may hold a password. */
export function faultOf(database: string, engine: 'auto' | 'host' | 'docker'): string | undefined {
  if (databaseOf(database).from !== 'url') return undefined
  if (!isComplete(database))
    return `found a URL without a user or a host, with an invalid port, or with an unencoded user or password; allowed: ${URL_FORMS}`
  return engine === 'docker' ? besideContainers() : undefined
}

/** The fault of a URL with the docker engine, whose containers cannot reach an external server. */
export function besideContainers(): string {
  return `found a URL with engine: docker; allowed: ${DATABASE_WORDS.join(', ')}, or a URL with engine: host`
}

function isComplete(url: string): boolean {
  try {
    const { hostname, username, password } = new URL(url)
    decodeURIComponent(username + password)
    return hostname !== '' && username !== ''
  } catch {
    return false
  }
}
