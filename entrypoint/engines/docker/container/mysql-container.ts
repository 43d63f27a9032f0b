/** The docker engine's MariaDB or MySQL, in its own container. */
import { randomBytes } from 'node:crypto'
import type { Finished } from '../../../system/exec.ts'
import type { DatabaseServer } from '../../shared/database.ts'
import { MYSQL_SETTINGS, mysql } from '../../shared/mysql.ts'
import { type DatabaseStart, type Neighbourhood, Service, userIn } from './service.ts'

const PORT = 3306

/** @throws MeasurementError with the server's log if it does not come up */
export async function mysqlContainer({ name, image, storage }: DatabaseStart, neighbourhood: Neighbourhood): Promise<DatabaseServer> {
  const password = randomBytes(12).toString('hex')
  const start = {
    name,
    what: 'The database',
    image,
    user: await userIn(image, 'mysql', neighbourhood.labels),
    data: { path: '/var/lib/mysql', storage },
    script: 'mysql.sh',
    args: Object.entries(MYSQL_SETTINGS).map(([key, value]) => `--${key}=${value}`),
    variables: { APB_PASSWORD: password },
  }
  const service = await Service.start(start, neighbourhood)
  const login = ['--no-defaults', '--host=127.0.0.1', `--port=${PORT}`, '--user=bench', '--protocol=tcp']
  const variables = { MYSQL_PWD: password }
  const client = await service.programAmong(['mariadb', 'mysql'])
  const dump = await service.programAmong(['mariadb-dump', 'mysqldump'])
  const run = (path: string, args: string[], input?: string): Promise<Finished> =>
    service.run([path, ...login, ...args], { input, variables })
  const version = await service.untilAnswers(() => run(client, ['-N', '-e', 'SELECT VERSION()']))
  return {
    access: { host: '127.0.0.1', port: PORT, user: 'bench', password },
    description: {
      kind: client.endsWith('mariadb') ? 'mariadb' : 'mysql',
      version: version.stdout.trim(),
      private: true,
      image,
      storage,
      settings: MYSQL_SETTINGS,
    },
    isPrivate: true,
    client: (args, input) => run(client, args, input),
    converse: (args, partner) => service.converse([client, ...login, ...args], variables, partner),
    dialect: mysql((args) => run(dump, args)),
    lost: () => service.lost(),
    stop: () => service.stop(),
  }
}
