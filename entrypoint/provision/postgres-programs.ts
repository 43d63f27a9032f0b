/** Finds the installed PostgreSQL and its programs. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { which } from '../system/which.ts'

/** Paths of the programs. A program that is not needed has ''. */
export interface PostgresPrograms {
  server: string
  initdb: string
  client: string
}

/** Debian keeps each version's programs in its own folder. Only the client's wrapper is on the PATH. */
const VERSIONS = '/usr/lib/postgresql'

/**
 * The newest installed version with its server or, if that is not needed, its client.
 *
 * @param versions the folder that has a folder per version
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
