/** The docker engine's database server, in its own container. */
import type { OnServer } from '../../../config/database.ts'
import type { Rules } from '../../../config/rules.ts'
import type { DatabaseServer } from '../../shared/database.ts'
import type { Daemon } from '../daemon/docker.ts'
import type { Labels } from '../daemon/labels.ts'
import { MYSQL_KINDS, POSTGRES, type ServiceKind } from '../image/service-image.ts'
import { mysqlContainer } from './mysql-container.ts'
import { postgresContainer } from './postgres-container.ts'
import type { DatabaseStart, Neighbourhood } from './service.ts'

/** The name of the database's container. */
export function databaseName({ job }: Labels): string {
  return `async-php-bench-${job}-database`
}

export function kindOf(choice: OnServer): ServiceKind {
  if (choice.language === 'postgres') return POSTGRES
  return MYSQL_KINDS[choice.from === 'job' && choice.kind === 'mysql' ? 'mysql' : 'mariadb']
}

/** Data in memory keep a shared machine's disk out of the measurement, if there is room. */
export function storageOf({ limits }: Rules, { memoryBytes }: Daemon): 'tmpfs' | 'disk' {
  const wanted = limits['database-storage']
  return wanted === 'auto' ? (memoryBytes > 12 * 2 ** 30 ? 'tmpfs' : 'disk') : wanted
}

/**
 * Arms share its network namespace, as on a single machine. Over a bridge each query would cost system time, which would count as the
 * app's: 1 to 2 ms per request of the invoice workload.
 *
 * @throws MeasurementError with the server's log if it does not come up
 */
export function databaseContainer(choice: OnServer, start: DatabaseStart, neighbourhood: Neighbourhood): Promise<DatabaseServer> {
  return (choice.language === 'postgres' ? postgresContainer : mysqlContainer)(start, neighbourhood)
}
