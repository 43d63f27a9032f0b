/** Finds the installed MariaDB or MySQL and its programs. */
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { apart } from '../system/environment.ts'
import { exec } from '../system/exec.ts'
import { which } from '../system/which.ts'

export interface Flavour {
  isMaria: boolean
  /** Paths of the programs. */
  server: string
  client: string
  dump: string
  /** MariaDB's program that creates a data directory. MySQL's server does that itself. */
  install?: string
}

export type DatabaseKind = 'auto' | 'mariadb' | 'mysql'

const FLAVOURS: Flavour[] = [
  { isMaria: true, server: 'mariadbd', client: 'mariadb', dump: 'mariadb-dump', install: 'mariadb-install-db' },
  { isMaria: false, server: 'mysqld', client: 'mysql', dump: 'mysqldump' },
]

/** The first of MariaDB and MySQL that is installed, with its server or, if that is not needed, its client. */
export async function installedDatabase(kind: DatabaseKind, withServer = true): Promise<Flavour | undefined> {
  for (const flavour of FLAVOURS.filter(({ isMaria }) => kind === 'auto' || isMaria === (kind === 'mariadb'))) {
    const server = which(flavour.server)
    const client = which(flavour.client)
    if (!client || (withServer && (!server || (!flavour.isMaria && (await isMariaInDisguise(server)))))) continue
    const install = flavour.install && { install: which(flavour.install) ?? flavour.install }
    return { ...flavour, ...install, server: server ?? '', client, dump: which(flavour.dump) ?? flavour.dump }
  }
  return undefined
}

/** MariaDB's packages install a `mysqld`, too, which creates its data directory differently. */
async function isMariaInDisguise(server: string): Promise<boolean> {
  return (await exec([server, '--version'], apart())).stdout.includes('MariaDB')
}

/**
 * The server's program and first arguments, for a data directory of ours. Ubuntu's AppArmor profile applies to the path
 * /usr/sbin/mysqld and forbids other directories. A copy elsewhere is not confined.
 */
export function unconfined({ server, isMaria }: Flavour, home: string): string[] {
  if (isMaria || !existsSync('/etc/apparmor.d/usr.sbin.mysqld')) return [server, '--no-defaults']
  const copy = join(home, 'mysqld')
  copyFileSync(server, copy)
  return [copy, '--no-defaults', '--basedir=/usr']
}
