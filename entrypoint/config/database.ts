/** Reads `database`: a private server, an external one, or none. Pure. */

/** What a server speaks. MariaDB speaks MySQL's language. */
export type Language = 'mysql' | 'postgres'

export type DatabaseChoice =
  | { from: 'none' }
  | { from: 'job'; language: 'mysql'; kind: 'auto' | 'mariadb' | 'mysql' }
  | { from: 'job'; language: 'postgres'; kind: 'postgres' }
  | { from: 'url'; language: Language; url: string }

/** Values that are one word. */
export const DATABASE_WORDS = ['auto', 'mariadb', 'mysql', 'postgres', 'none'] as const
export const DATABASE_URL = /^(mysql|postgres|postgresql):\/\/\S+$/

/** @param database of the configuration, which has been validated */
export function databaseOf(database: string): DatabaseChoice {
  if (database === 'none') return { from: 'none' }
  if (database === 'postgres') return { from: 'job', language: 'postgres', kind: database }
  if (database === 'auto' || database === 'mariadb' || database === 'mysql') return { from: 'job', language: 'mysql', kind: database }
  return { from: 'url', language: database.startsWith('mysql') ? 'mysql' : 'postgres', url: database }
}
