/** The host engine's database server: a private one as child processes, or an external one by URL. */
import { statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import type { OnServer } from '../../config/database.ts'
import type { Access, DatabaseServer } from '../shared/database.ts'
import type { Ground } from './ground.ts'
import { externalMysql, privateMysql } from './mysql-server.ts'
import { externalPostgres, privatePostgres } from './postgres-server.ts'

/**
 * Starts a private server, or connects to the external one, whose user must be allowed to create databases.
 *
 * @throws MeasurementError with the server's log if it does not start; InputError if the URL's server cannot be used
 */
export function databaseServer(choice: OnServer, place: Omit<Ground, 'inMemory'>): Promise<DatabaseServer> {
  const ground = { ...place, inMemory: memoryHasRoom() }
  if (choice.from === 'url')
    return (choice.language === 'postgres' ? externalPostgres : externalMysql)(accessOf(choice.url, choice.language))
  return choice.language === 'postgres' ? privatePostgres(ground) : privateMysql(choice.kind, ground)
}

const PORTS = { mysql: 3306, postgres: 5432 }

function accessOf(url: string, language: keyof typeof PORTS): Access {
  const { hostname, port, username, password } = new URL(url)
  return {
    host: hostname,
    port: Number(port || PORTS[language]),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
  }
}

/** tmpfs keeps a shared runner's disk out of the measurement. It needs room for data and buffer pool. */
export function memoryHasRoom(): boolean {
  try {
    const fs = statfsSync('/dev/shm')
    return fs.bavail * fs.bsize > 3 * 2 ** 30 && freemem() > 6 * 2 ** 30
  } catch {
    return false
  }
}
