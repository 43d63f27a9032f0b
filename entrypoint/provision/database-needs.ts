/** Looks up the needs of the configured database on this machine: its programs, and PHP's extension. */
import { type DatabaseChoice, isOnServer, type OnServer } from '../config/database.ts'
import { apart } from '../system/environment.ts'
import { exec } from '../system/exec.ts'
import type { Finding } from './finding.ts'
import { installedDatabase } from './mysql-programs.ts'
import { installedPostgres } from './postgres-programs.ts'

/** PHP's extension. */
const PDO = { mysql: 'pdo_mysql', postgres: 'pdo_pgsql', sqlite: 'pdo_sqlite' } as const

/** The extension with which PHP reaches the database, or undefined without one. */
export function pdoOf(choice: DatabaseChoice): (typeof PDO)[keyof typeof PDO] | undefined {
  if (choice.from === 'none') return undefined
  return PDO[isOnServer(choice) ? choice.language : 'sqlite']
}

export async function databasePrograms(choice: OnServer): Promise<Finding> {
  const isOurs = choice.from === 'job'
  const why = isOurs ? 'a private database for each revision' : 'databases on the server of the URL'
  return { why, ...(choice.language === 'postgres' ? await postgresPrograms(isOurs) : await mysqlPrograms(choice)) }
}

async function postgresPrograms(isOurs: boolean): Promise<Omit<Finding, 'why'>> {
  const found = installedPostgres(isOurs)
  const apt = [isOurs ? 'postgresql' : 'postgresql-client']
  if (!found) return { name: 'postgres', state: 'missing', detail: isOurs ? 'no postgres with initdb and psql' : 'no client', apt }
  const path = isOurs ? found.server : found.client
  return { name: 'postgres', state: 'found', detail: await versionOf(path), path, apt }
}

async function mysqlPrograms(choice: OnServer): Promise<Omit<Finding, 'why'>> {
  const isOurs = choice.from === 'job' && choice.language === 'mysql'
  const kind = isOurs ? choice.kind : 'external'
  const found = await installedDatabase(isOurs ? choice.kind : 'auto', isOurs)
  const apt = [`${kind === 'mysql' ? 'mysql' : 'mariadb'}-${isOurs ? 'server' : 'client'}`]
  if (!found) {
    const programs = {
      auto: 'neither mariadbd nor mysqld',
      mariadb: 'no mariadbd',
      mysql: "no mysqld, or only MariaDB's",
      external: 'no client',
    }
    return { name: kind === 'mysql' ? 'mysql' : 'mariadb', state: 'missing', detail: programs[kind], apt }
  }
  const path = isOurs ? found.server : found.client
  return { name: found.isMaria ? 'mariadb' : 'mysql', state: 'found', detail: await versionOf(path), path, apt }
}

async function versionOf(program: string): Promise<string> {
  return /\d+\.\d+(\.\d+)?/.exec((await exec([program, '--version'], apart())).stdout)?.[0] ?? 'installed'
}
