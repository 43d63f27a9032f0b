/** The host engine's PostgreSQL: a private server as child processes, or an external one. */
import { randomBytes } from 'node:crypto'
import { chownSync } from 'node:fs'
import { join } from 'node:path'
import { installedPostgres, type PostgresPrograms } from '../../provision/postgres-programs.ts'
import { Conversation } from '../../system/conversation.ts'
import { apart } from '../../system/environment.ts'
import { InputError, MeasurementError } from '../../system/errors.ts'
import { exec, printed } from '../../system/exec.ts'
import { pinned } from '../../system/machine.ts'
import { scratch } from '../../system/scratch.ts'
import { lastLines } from '../../system/tail.ts'
import type { Access, DatabaseServer } from '../shared/database.ts'
import { POSTGRES_SETTINGS, postgres, welcome } from '../shared/postgres.ts'
import { startDatabase } from './database-process.ts'
import type { Ground } from './ground.ts'
import { freePort } from './ports.ts'

/** @throws MeasurementError with the server's log if it does not start */
export async function privatePostgres({ directory, inMemory, cpus }: Ground): Promise<DatabaseServer> {
  const programs = installed()
  // Not in the job's directory, which another user cannot enter.
  const home = scratch(inMemory ? '/dev/shm' : undefined)
  const unprivileged = await handOver(home)
  const data = join(home, 'data')
  const made = await exec([...unprivileged, programs.initdb, `--pgdata=${data}`, '--username=postgres', ...INITDB], {
    ...apart(),
    timeoutMs: 120_000,
  })
  if (made.code !== 0) throw new MeasurementError(`The database cannot be set up: ${lastLines(printed(made))}`)

  const port = await freePort()
  const log = join(directory, 'database.log')
  const settings = { ...POSTGRES_SETTINGS, port, listen_addresses: '127.0.0.1', unix_socket_directories: home }
  const command = pinned(
    [...unprivileged, programs.server, '-D', data, ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])],
    cpus,
  )
  const login = [programs.client, '--no-psqlrc', '--quiet', `--host=${home}`, `--port=${port}`, '--username=postgres', '--dbname=postgres']
  const socket = join(home, `.s.PGSQL.${port}`)
  const started = await startDatabase({ command, home, log, socket, question: [...login, '--command=SELECT 1'] })
  const access = { host: '127.0.0.1', port, user: 'bench', password: randomBytes(12).toString('hex') }
  const welcomed = await exec([...login, '--set=ON_ERROR_STOP=1'], { ...apart(), input: welcome(access.password) })
  if (welcomed.code !== 0) throw new MeasurementError(`The database refused to create a user: ${lastLines(welcomed.stderr)}`)
  const version = (await exec([programs.server, '--version'], apart())).stdout.trim()
  return {
    access,
    dialect: postgres({ version: /\d[\d.]*/.exec(version)?.[0] ?? '', isCounting: true }),
    description: {
      kind: 'postgres',
      version,
      private: true,
      storage: inMemory ? 'tmpfs' : 'disk',
      settings: POSTGRES_SETTINGS,
    },
    isPrivate: true,
    ...client(programs, access),
    ...started,
  }
}

/** @throws InputError if it cannot be used */
export async function externalPostgres(access: Access): Promise<DatabaseServer> {
  const spoken = client(installed(false), access)
  const answer = await spoken.client(['--tuples-only', '--no-align', '--command=SHOW server_version'])
  if (answer.code !== 0) throw new InputError(`database: ${access.host}:${access.port} cannot be used: ${lastLines(answer.stderr)}`)
  const version = answer.stdout.trim()
  return {
    access,
    dialect: postgres({ version, isCounting: false }),
    description: { kind: 'external', version: `PostgreSQL ${version}`, private: false },
    isPrivate: false,
    ...spoken,
    lost: async () => undefined,
    stop: async () => {},
  }
}

/** Through the socket, in its own directory, users of the system need no password. Over the network every user does. */
const INITDB = ['--auth-local=trust', '--auth-host=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync', '--no-instructions']

/**
 * Gives the directory to the user postgres if this process is root, because PostgreSQL refuses to run as root.
 *
 * @returns the beginning of its commands
 */
async function handOver(home: string): Promise<string[]> {
  if (process.getuid?.() !== 0) return []
  const isThere = async (user: string): Promise<boolean> => (await exec(['id', '-u', user], apart())).code === 0
  const user = (await isThere('postgres')) ? 'postgres' : 'nobody'
  const [uid, gid] = await Promise.all(['-u', '-g'].map(async (of) => Number((await exec(['id', of, user], apart())).stdout)))
  chownSync(home, uid as number, gid as number)
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
}

/** The programs that provisioning found or installed. */
function installed(withServer?: boolean): PostgresPrograms {
  const programs = installedPostgres(withServer)
  if (!programs) throw new MeasurementError('database: postgres: its programs are no longer on this machine.')
  return programs
}

/** The client, logged in. The password is passed by environment, because every user can read command lines. */
function client({ client: program }: PostgresPrograms, access: Access): Pick<DatabaseServer, 'client' | 'converse'> {
  const login = [program, `--host=${access.host}`, `--port=${access.port}`, `--username=${access.user}`]
  const where = apart({ PGPASSWORD: access.password, PGDATABASE: 'postgres' })
  return {
    client: (args, input) => exec([...login, ...args], { ...where, input, timeoutMs: 600_000 }),
    converse: (args, partner) => new Conversation([...login, ...args], where, partner),
  }
}
