/** The database server of the host engine: a private one as a child process, or an external one by URL. */
import { randomBytes } from 'node:crypto'
import { readFileSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DatabaseKind, type Flavour, installedDatabase, unconfined } from '../../provision/database-programs.ts'
import { apart, bare } from '../../system/environment.ts'
import { InputError, MeasurementError } from '../../system/errors.ts'
import { exec, printed } from '../../system/exec.ts'
import { pinned } from '../../system/machine.ts'
import { ProcessGroup } from '../../system/process-group.ts'
import { scratch, subdirectory } from '../../system/scratch.ts'
import { lastLines } from '../../system/tail.ts'
import { type Access, type DatabaseServer, SERVER_SETTINGS } from '../shared/database.ts'
import { freePort } from './ports.ts'

/**
 * Starts a private server.
 *
 * @param cpus that it is held to, if any
 * @throws MeasurementError with the server's log if it does not come up
 */
export async function privateServer(kind: DatabaseKind, directory: string, cpus: string | undefined): Promise<DatabaseServer> {
  const flavour = await installed(kind)
  const inMemory = memoryHasRoom()
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
      ...Object.entries(SERVER_SETTINGS).map(([key, value]) => `--${key}=${value}`),
      ...user,
    ],
    cpus,
  )
  const server = await ProcessGroup.start(command, { cwd: home, env: bare(), log })
  const root = [flavour.client, '--no-defaults', '--user=root', `--socket=${socket}`]
  const deadline = Date.now() + 60_000
  while ((await exec([...root, '-e', 'SELECT 1'], apart())).code !== 0) {
    if (server.ended || Date.now() > deadline) {
      await server.stop()
      throw new MeasurementError(
        `The database did not start (${server.ended ?? 'no answer in 60 s'}):\n${lastLines(readFileSync(log, 'utf8'))}`,
      )
    }
    await sleep(100)
  }
  const password = randomBytes(12).toString('hex')
  const grant = `CREATE USER 'bench'@'127.0.0.1' IDENTIFIED BY '${password}'; GRANT ALL ON *.* TO 'bench'@'127.0.0.1' WITH GRANT OPTION;`
  const granted = await exec([...root, '-e', grant], apart())
  if (granted.code !== 0) throw new MeasurementError(`The database refuses a user of ours: ${lastLines(granted.stderr)}`)
  const access = { host: '127.0.0.1', port, user: 'bench', password }
  return {
    access,
    description: {
      kind: flavour.isMaria ? 'mariadb' : 'mysql',
      version: (await exec([flavour.server, '--version'], apart())).stdout.trim(),
      private: true,
      storage: inMemory ? 'tmpfs' : 'disk',
      settings: SERVER_SETTINGS,
    },
    ...programs(flavour, access),
    lost: async () => (server.ended ? `The database server died (${server.ended}):\n${lastLines(readFileSync(log, 'utf8'))}` : undefined),
    stop: () => server.stop(5000),
  }
}

/** Uses a server that runs already. Its user must be allowed to create databases. */
export async function externalServer(url: string): Promise<DatabaseServer> {
  const parsed = new URL(url)
  const access = {
    host: parsed.hostname,
    port: Number(parsed.port || 3306),
    user: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
  }
  const { client, dump } = programs(await installed('auto', false), access)
  const answer = await client(['-N', '-e', 'SELECT VERSION()'])
  if (answer.code !== 0) throw new InputError(`database: ${parsed.hostname}:${access.port} cannot be used: ${lastLines(answer.stderr)}`)
  return {
    access,
    description: { kind: 'external', version: answer.stdout.trim(), private: false },
    client,
    dump,
    lost: async () => undefined,
    stop: async () => {},
  }
}

/** What provisioning found or installed. */
async function installed(kind: DatabaseKind, withServer?: boolean): Promise<Flavour> {
  const flavour = await installedDatabase(kind, withServer)
  if (!flavour) throw new MeasurementError(`database: ${kind}: its programs are gone from this machine.`)
  return flavour
}

/** Client and dump program, logged in. The password goes by environment: command lines can be read by every user. */
function programs(flavour: Flavour, access: Access): Pick<DatabaseServer, 'client' | 'dump'> {
  const login = ['--no-defaults', `--host=${access.host}`, `--port=${access.port}`, `--user=${access.user}`, '--protocol=tcp']
  const where = apart({ MYSQL_PWD: access.password })
  return {
    client: (args, input) => exec([flavour.client, ...login, ...args], { ...where, input, timeoutMs: 600_000 }),
    dump: (args) => exec([flavour.dump, ...login, ...args], { ...where, timeoutMs: 600_000 }),
  }
}

/** tmpfs keeps the disk of a shared runner out of the measurement; it needs room for data and buffer pool. */
function memoryHasRoom(): boolean {
  try {
    const fs = statfsSync('/dev/shm')
    return fs.bavail * fs.bsize > 3 * 2 ** 30 && freemem() > 6 * 2 ** 30
  } catch {
    return false
  }
}
