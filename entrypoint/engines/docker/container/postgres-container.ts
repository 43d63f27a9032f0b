/** The docker engine's PostgreSQL, in its own container. */
import { randomBytes } from 'node:crypto'
import { MeasurementError } from '../../../system/errors.ts'
import { lastLines } from '../../../system/tail.ts'
import type { DatabaseServer } from '../../shared/database.ts'
import { POSTGRES_SETTINGS, postgres, welcome } from '../../shared/postgres.ts'
import { type DatabaseStart, type Neighbourhood, Service, userIn } from './service.ts'

const PORT = 5432
const HOME = '/var/lib/postgresql'

/** @throws MeasurementError with the server's log if it does not come up */
export async function postgresContainer({ name, image, storage }: DatabaseStart, neighbourhood: Neighbourhood): Promise<DatabaseServer> {
  const settings = { ...POSTGRES_SETTINGS, port: PORT, listen_addresses: '127.0.0.1', unix_socket_directories: '/tmp' }
  const start = {
    name,
    what: 'PostgreSQL',
    image,
    user: await userIn(image, 'postgres', neighbourhood.labels),
    data: { path: HOME, storage },
    script: 'postgres.sh',
    args: Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  }
  const service = await Service.start(start, neighbourhood)
  const program = await service.programAmong(['psql'])
  // Through the socket, users of the system need no password. Over the network every user does.
  const asPostgres = [program, '--no-psqlrc', '--quiet', '--host=/tmp', `--port=${PORT}`, '--username=postgres', '--dbname=postgres']
  const version = await service.untilAnswers(() => service.run([...asPostgres, '-tA', '--command=SHOW server_version']))
  const password = randomBytes(12).toString('hex')
  const welcomed = await service.run([...asPostgres, '--set=ON_ERROR_STOP=1'], { input: welcome(password) })
  if (welcomed.code !== 0) throw new MeasurementError(`The database refused to create a user: ${lastLines(welcomed.stderr)}`)
  const login = [program, '--host=127.0.0.1', `--port=${PORT}`, '--username=bench']
  const variables = { PGPASSWORD: password, PGDATABASE: 'postgres' }
  return {
    access: { host: '127.0.0.1', port: PORT, user: 'bench', password },
    dialect: postgres({ version: version.stdout.trim(), isCounting: true }),
    description: {
      kind: 'postgres',
      version: `PostgreSQL ${version.stdout.trim()}`,
      private: true,
      image,
      storage,
      settings: POSTGRES_SETTINGS,
    },
    isPrivate: true,
    client: (args, input) => service.run([...login, ...args], { input, variables }),
    converse: (args, partner) => service.converse([...login, ...args], variables, partner),
    lost: () => service.lost(),
    stop: () => service.stop(),
  }
}
