/** SQLite: a file that the app's own processes read and write. */

/** In a directory that holds nothing else but what belongs to it. */
export const SQLITE_FILE = 'database.sqlite'

/** What the report says of it. @param storage where the copies of the arms are */
export function describeSqlite(storage: 'tmpfs' | 'disk'): Record<string, unknown> {
  return { kind: 'sqlite', files: 'one per arm and run', storage, statements: 'not counted' }
}
