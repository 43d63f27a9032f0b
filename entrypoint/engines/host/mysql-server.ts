/** The host engine's MariaDB or MySQL: a private server as a child process, or an external one. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type DatabaseKind, type Flavour, installedDatabase, unconfined } from '../../provision/mysql-programs.ts'
import { Conversation } from '../../system/conversation.ts'
import { apart } from '../../system/environment.ts'
import { InputError, MeasurementError } from '../../system/errors.ts'
import { exec, printed } from '../../system/exec.ts'
import { pinned } from '../../system/machine.ts'
import { scratch, subdirectory } from '../../system/scratch.ts'
import { lastLines } from '../../system/tail.ts'
import type { Access, DatabaseServer } from '../shared/database.ts'
import { MYSQL_SETTINGS, mysql } from '../shared/mysql.ts'
import { startDatabase } from './database-process.ts'
import type { Ground } from './ground.ts'
import { freePort } from './ports.ts'

/** @throws MeasurementError with the server's log if it does not start */
export async function privateMysql(kind: DatabaseKind, { directory, inMemory, cpus }: Ground): Promise<DatabaseServer> {
  const flavour = await installed(kind)
  const home = inMemory ? scratch('/dev/shm') : subdirectory(directory, 'database')
  const data = join(home, 'data')
  const program = unconfined(flavour, home)
  const log = join(directory, 'database.log')
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? ['--user=root'] : []
  const made = await exec(
    flavour.isMaria
      ? [
          flavour.install as string,
          '--no-defaults',
          `--datadir=${data}`,
          '--auth-root-authentication-method=normal',
          '--skip-test-db',
          ...user,
        ]
      : [...program, '--initialize-insecure', `--datadir=${data}`, ...user],
    { ...apart(), timeoutMs: 120_000 },
  )
  if (made.code !== 0) throw new MeasurementError(`The database cannot be set up: ${lastLines(printed(made))}`)

  const port = await freePort()
  const socket = join(home, 'sock')
  const command = pinned(
    [
      ...program,
      `--datadir=${data}`,
      `--socket=${socket}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--pid-file=${join(home, 'pid')}`,
      `--tmpdir=${home}`,
      '--skip-log-bin',
      '--skip-name-resolve',
      ...(flavour.isMaria ? [] : ['--mysqlx=0']),
      ...Object.entries(MYSQL_SETTINGS).map(([key, value]) => `--${key}=${value}`),
      ...user,
    ],
    cpus,
  )
  const root = [flavour.client, '--no-defaults', '--user=root', `--socket=${socket}`]
  const started = await startDatabase({ command, home, log, socket, question: [...root, '-e', 'SELECT 1'] })
  const password = randomBytes(12).toString('hex')
  const grant = `CREATE USER 'bench'@'127.0.0.1' IDENTIFIED BY '${password}'; GRANT ALL ON *.* TO 'bench'@'127.0.0.1' WITH GRANT OPTION;`
  const granted = await exec([...root, '-e', grant], apart())
  if (granted.code !== 0) throw new MeasurementError(`The database refused to create a user: ${lastLines(granted.stderr)}`)
  const access = { host: '127.0.0.1', port, user: 'bench', password }
  return {
    access,
    description: {
      kind: flavour.isMaria ? 'mariadb' : 'mysql',
      version: (await exec([flavour.server, '--version'], apart())).stdout.trim(),
      private: true,
      storage: inMemory ? 'tmpfs' : 'disk',
      settings: MYSQL_SETTINGS,
    },
    isPrivate: true,
    ...programs(flavour, access),
    ...started,
  }
}

/** @throws InputError if it cannot be used */
export async function externalMysql(access: Access): Promise<DatabaseServer> {
  const spoken = programs(await installed('auto', false), access)
  const answer = await spoken.client(['-N', '-e', 'SELECT VERSION()'])
  if (answer.code !== 0) throw new InputError(`database: ${access.host}:${access.port} cannot be used: ${lastLines(answer.stderr)}`)
  return {
    access,
    description: { kind: 'external', version: answer.stdout.trim(), private: false },
    isPrivate: false,
    ...spoken,
    lost: async () => undefined,
    stop: async () => {},
  }
}

/** The programs that provisioning found or installed. */
async function installed(kind: DatabaseKind, withServer?: boolean): Promise<Flavour> {
  const flavour = await installedDatabase(kind, withServer)
  if (!flavour) throw new MeasurementError(`database: ${kind}: its programs are no longer on this machine.`)
  return flavour
}

/** The client and dialect, logged in. The password is passed by environment, because every user can read command lines. */
function programs(flavour: Flavour, access: Access): Pick<DatabaseServer, 'client' | 'converse' | 'dialect'> {
  const login = ['--no-defaults', `--host=${access.host}`, `--port=${access.port}`, `--user=${access.user}`, '--protocol=tcp']
  const where = apart({ MYSQL_PWD: access.password })
  return {
    client: (args, input) => exec([flavour.client, ...login, ...args], { ...where, input, timeoutMs: 600_000 }),
    converse: (args, partner) => new Conversation([flavour.client, ...login, ...args], where, partner),
    dialect: mysql((args) => exec([flavour.dump, ...login, ...args], { ...where, timeoutMs: 600_000 })),
  }
}
