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
  /** MariaDB's program that makes a data directory; MySQL's server does it itself. */
  install?: string
}

export type DatabaseKind = 'auto' | 'mariadb' | 'mysql'

const FLAVOURS: Flavour[] = [
  { isMaria: true, server: 'mariadbd', client: 'mariadb', dump: 'mariadb-dump', install: 'mariadb-install-db' },
  { isMaria: false, server: 'mysqld', client: 'mysql', dump: 'mysqldump' },
]

/** The first of MariaDB and MySQL that is here, with its server or, where that is not needed, its client. */
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

/** MariaDB's packages bring a `mysqld`, too, which makes its data directory another way. */
async function isMariaInDisguise(server: string): Promise<boolean> {
  return (await exec([server, '--version'], apart())).stdout.includes('MariaDB')
}

/**
 * The server's program with its first arguments, where it may use a data directory of ours. Ubuntu's AppArmor profile of MySQL belongs to the path
 * /usr/sbin/mysqld and forbids every other directory than its own; a copy elsewhere is not confined.
 */
export function unconfined({ server, isMaria }: Flavour, home: string): string[] {
  if (isMaria || !existsSync('/etc/apparmor.d/usr.sbin.mysqld')) return [server, '--no-defaults']
  const copy = join(home, 'mysqld')
  copyFileSync(server, copy)
  return [copy, '--no-defaults', '--basedir=/usr']
}
