/** Reads `database`: a private server, an external one, a file, or none. Pure. */

/** What a server speaks. MariaDB speaks MySQL's language. */
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

/** @param database of the configuration, which has been validated */
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

/** What is wrong with a URL, or undefined. A sentence does not repeat it: it may hold a password. */
export function faultOf(database: string, engine: 'auto' | 'host' | 'docker'): string | undefined {
  if (databaseOf(database).from !== 'url') return undefined
  if (!isComplete(database))
    return `found a URL without a host, with an impossible port, or with a user or password that is not encoded; allowed: ${URL_FORMS}`
  return engine === 'docker' ? besideContainers() : undefined
}

/** The containers of the docker engine do not reach a server elsewhere. */
export function besideContainers(): string {
  return `found a URL beside engine: docker; allowed: ${DATABASE_WORDS.join(', ')}, or a URL beside engine: host`
}

function isComplete(url: string): boolean {
  try {
    const { hostname, username, password } = new URL(url)
    decodeURIComponent(username + password)
    return hostname !== ''
  } catch {
    return false
  }
}
