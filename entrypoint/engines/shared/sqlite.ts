/** SQLite: a file that the app's own processes read and write. */

/** The file's name. Its directory holds only the database's files. */
export const SQLITE_FILE = 'database.sqlite'

/** The description for the report. @param storage where the copies of the arms are */
export function describeSqlite(storage: 'tmpfs' | 'disk'): Record<string, unknown> {
  return { kind: 'sqlite', files: 'one per arm and run', storage, statements: 'not counted' }
}
