/** Which database server is installed, and where its programs are. */
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { MeasurementError } from '../../errors.ts'
import { which } from '../../needs.ts'

export interface Flavour {
  isMaria: boolean
  /** Paths of the programs. */
  server: string
  client: string
  dump: string
  /** MariaDB's program that makes a data directory; MySQL's server does it itself. */
  install?: string
}

/**
 * The first of MariaDB and MySQL that is here.
 *
 * @throws MeasurementError if there is none
 */
export function installedDatabase(kind: 'auto' | 'mariadb' | 'mysql', withServer = true): Flavour {
  const flavours: Flavour[] = [
    { isMaria: true, server: 'mariadbd', client: 'mariadb', dump: 'mariadb-dump', install: 'mariadb-install-db' },
    { isMaria: false, server: 'mysqld', client: 'mysql', dump: 'mysqldump' },
  ]
  for (const flavour of flavours.filter(({ isMaria }) => kind === 'auto' || isMaria === (kind === 'mariadb'))) {
    const server = which(flavour.server)
    const client = which(flavour.client)
    if (client && (server || !withServer)) {
      const install = flavour.install && { install: which(flavour.install) ?? flavour.install }
      return { ...flavour, ...install, server: server ?? '', client, dump: which(flavour.dump) ?? flavour.dump }
    }
  }
  throw new MeasurementError(`database: ${kind}: no server is installed. Install mariadb-server, or give a URL, or \`database: none\`.`)
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
