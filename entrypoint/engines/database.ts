/** The database server of a job: a private one, or an external one by URL. Databases are made, snapshot and restored here. */
import { randomBytes } from 'node:crypto'
import { readFileSync, statfsSync, writeFileSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { InputError, MeasurementError } from '../errors.ts'
import { exec } from '../exec.ts'
import { ProcessGroup } from '../processes.ts'
import { scratch, subdirectory } from '../scratch.ts'
import { installedDatabase, unconfined } from './database-flavour.ts'
import { freePort } from './ports.ts'

export interface Access {
  host: string
  port: number
  user: string
  password: string
}

/** Settings of the private server. Named in the report: durability decides what a write costs. */
export const SERVER_SETTINGS = {
  'innodb-buffer-pool-size': '1G',
  'innodb-log-file-size': '256M',
  'innodb-flush-log-at-trx-commit': '2',
  'innodb-flush-method': 'fsync',
  'innodb-doublewrite': '0',
  'max-connections': '1200',
  'character-set-server': 'utf8mb4',
} as const

export class Database {
  private readonly snapshots = new Map<string, string>()
  private readonly created: string[] = []

  private constructor(
    readonly access: Access,
    readonly description: Record<string, unknown>,
    private readonly client: string[],
    private readonly dump: string[],
    private readonly directory: string,
    private readonly server: ProcessGroup | undefined,
    private readonly log: string,
  ) {}

  /** Starts a private server. @throws MeasurementError with the server's log if it does not come up */
  static async private(kind: 'auto' | 'mariadb' | 'mysql', directory: string): Promise<Database> {
    const flavour = installedDatabase(kind)
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
      { timeoutMs: 120_000 },
    )
    if (made.code !== 0) throw new MeasurementError(`The database cannot be set up: ${lastLines(made.stdout + made.stderr)}`)

    const port = await freePort()
    const socket = join(home, 'sock')
    const server = await ProcessGroup.start(
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
      { cwd: home, env: { PATH: process.env.PATH ?? '', LANG: 'C' }, log },
    )
    const root = [flavour.client, '--no-defaults', '--user=root', `--socket=${socket}`]
    const password = randomBytes(12).toString('hex')
    const deadline = Date.now() + 60_000
    const grant = `CREATE USER 'bench'@'127.0.0.1' IDENTIFIED BY '${password}'; GRANT ALL ON *.* TO 'bench'@'127.0.0.1' WITH GRANT OPTION;`
    while ((await exec([...root, '-e', 'SELECT 1'])).code !== 0) {
      if (server.ended || Date.now() > deadline) {
        await server.stop()
        throw new MeasurementError(
          `The database did not start (${server.ended ?? 'no answer in 60 s'}):\n${lastLines(readFileSync(log, 'utf8'))}`,
        )
      }
      await sleep(100)
    }
    await mustRun([...root, '-e', grant], {})
    const access = { host: '127.0.0.1', port, user: 'bench', password }
    const version = (await exec([flavour.server, '--version'])).stdout.trim()
    const description = {
      kind: flavour.isMaria ? 'mariadb' : 'mysql',
      version,
      private: true,
      storage: inMemory ? 'tmpfs' : 'disk',
      settings: SERVER_SETTINGS,
    }
    return new Database(access, description, [flavour.client], [flavour.dump], directory, server, log)
  }

  /** Uses a server that runs already. Its user must be allowed to create databases. */
  static async external(url: string, directory: string): Promise<Database> {
    const flavour = installedDatabase('auto', false)
    const parsed = new URL(url)
    const access = {
      host: parsed.hostname,
      port: Number(parsed.port || 3306),
      user: decodeURIComponent(parsed.username),
      password: decodeURIComponent(parsed.password),
    }
    const database = new Database(access, {}, [flavour.client], [flavour.dump], directory, undefined, '')
    const answer = await database.run(['-N', '-e', 'SELECT VERSION()'])
    if (answer.code !== 0) throw new InputError(`database: ${parsed.hostname}:${access.port} cannot be used: ${lastLines(answer.stderr)}`)
    Object.assign(database.description, { kind: 'external', version: answer.stdout.trim(), private: false })
    return database
  }

  async create(name: string): Promise<void> {
    await this.sql(`DROP DATABASE IF EXISTS \`${name}\`; CREATE DATABASE \`${name}\``)
    this.created.push(name)
  }

  /** Keeps the present content of a database, tables, routines and triggers, as what restore() brings back. */
  async snapshot(name: string): Promise<void> {
    const dumped = await exec(
      [...this.dump, ...this.login(), '--single-transaction', '--routines', '--triggers', '--events', '--hex-blob', name],
      { env: this.env(), timeoutMs: 600_000 },
    )
    if (dumped.code !== 0) throw new MeasurementError(`The database ${name} cannot be dumped: ${lastLines(dumped.stderr)}`)
    const file = join(this.directory, `${name}.sql`)
    writeFileSync(file, dumped.stdout, { mode: 0o600 })
    this.snapshots.set(name, file)
  }

  /** Brings the snapshot back, so that a run never starts with another run's rows. */
  async restore(name: string): Promise<void> {
    const file = this.snapshots.get(name) as string
    await this.sql(
      `DROP DATABASE \`${name}\`; CREATE DATABASE \`${name}\`; USE \`${name}\`; SET foreign_key_checks = 0;\n${readFileSync(file, 'utf8')}`,
    )
  }

  /** @throws MeasurementError if the server refuses it or is gone */
  async sql(statements: string): Promise<string> {
    const done = await this.run(['-N', '--batch'], statements)
    if (done.code !== 0) throw new MeasurementError(this.lost() ?? `The database refused a statement: ${lastLines(done.stderr)}`)
    return done.stdout
  }

  async statementCounts(): Promise<Record<string, number>> {
    const rows = await this.sql("SHOW GLOBAL STATUS WHERE Variable_name IN ('Com_insert', 'Com_select', 'Com_update', 'Com_delete')")
    return Object.fromEntries(
      rows
        .trim()
        .split('\n')
        .map((row) => row.split('\t'))
        .map(([name, count]) => [(name as string).slice(4).toLowerCase(), Number(count)]),
    )
  }

  /** A sentence if the private server has died. */
  lost(): string | undefined {
    return this.server?.ended ? `The database server died (${this.server.ended}):\n${lastLines(readFileSync(this.log, 'utf8'))}` : undefined
  }

  async close(): Promise<void> {
    if (this.server) await this.server.stop(5000)
    else for (const name of this.created) await this.run(['-e', `DROP DATABASE IF EXISTS \`${name}\``])
  }

  private run(args: string[], input?: string) {
    return exec([...this.client, ...this.login(), ...args], { env: this.env(), input, timeoutMs: 600_000 })
  }

  private login(): string[] {
    return ['--no-defaults', `--host=${this.access.host}`, `--port=${this.access.port}`, `--user=${this.access.user}`, '--protocol=tcp']
  }

  /** The password goes by environment: command lines can be read by every user. */
  private env(): Record<string, string | undefined> {
    return { PATH: process.env.PATH, LANG: 'C.UTF-8', MYSQL_PWD: this.access.password }
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

async function mustRun(command: string[], env: Record<string, string>): Promise<void> {
  const done = await exec(command, { env: { PATH: process.env.PATH, ...env } })
  if (done.code !== 0) throw new MeasurementError(`${command[0]}: ${lastLines(done.stderr)}`)
}

function lastLines(text: string, count = 15): string {
  return text.trim().split('\n').slice(-count).join('\n')
}
