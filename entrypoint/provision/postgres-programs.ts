/** Finds the installed PostgreSQL and its programs. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { which } from '../system/which.ts'

/** Paths of the programs; '' of one that is not needed. */
export interface PostgresPrograms {
  server: string
  initdb: string
  client: string
}

/** Debian keeps the programs of each version in a folder of its own, of which only the client's wrapper is on the PATH. */
const VERSIONS = '/usr/lib/postgresql'

/**
 * The newest version that is here, with its server or, where that is not needed, its client.
 *
 * @param versions the folder with a folder for each version
 */
export function installedPostgres(withServer = true, versions = VERSIONS): PostgresPrograms | undefined {
  const names = existsSync(versions) ? readdirSync(versions) : []
  const folders = names
    .sort((a, b) => Number(b) - Number(a))
    .map((name) => join(versions, name, 'bin'))
    .map((folder) => (program: string) => [join(folder, program)].find(existsSync))
  for (const find of [...folders, which]) {
    const [server = '', initdb = '', client = ''] = ['postgres', 'initdb', 'psql'].map((program) => find(program) ?? '')
    if (client && (!withServer || (server && initdb))) return { server, initdb, client }
  }
  return undefined
}
