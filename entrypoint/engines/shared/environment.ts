/** The environment of the app and of everything that it starts. Pure. */

import type { Language } from '../../config/database.ts'
import type { Runtime } from '../../config/runtimes.ts'
import type { Config } from '../../config/schema.ts'
import { ofApp } from '../../system/environment.ts'
import type { Purpose } from '../engine.ts'
import type { Reached } from './database.ts'
import type { Address } from './redis.ts'

/**
 * Keep freed memory, in every server: glibc would repeatedly return and reallocate coroutine stacks. How often depends on the heap after
 * the start. A revision that only held more memory took up to 10 % less CPU time per request. Both in bytes, decimal. Setting one
 * stops glibc from adjusting them; 32 MiB is the maximum of the first (mallopt(3)).
 */
const KEPT_MEMORY = { MALLOC_MMAP_THRESHOLD_: '33554432', MALLOC_TRIM_THRESHOLD_: '268435456' }

/** The services of one revision. */
export interface AppServices {
  database?: Reached | undefined
  /** The file of a database without a server. */
  sqlite?: string | undefined
  redis?: Address | undefined
}

/**
 * @param iniDirectories the directories that PHP scans for ini files, in the form of PHP_INI_SCAN_DIR
 */
export function appEnvironment(
  { env }: Pick<Config, 'env'>,
  outer: Record<string, string | undefined>,
  iniDirectories: string,
  { database, sqlite, redis }: AppServices,
): Record<string, string> {
  return {
    ...ofApp(outer),
    ...KEPT_MEMORY,
    APP_ENV: 'prod',
    APP_DEBUG: '0',
    PHP_INI_SCAN_DIR: iniDirectories,
    // Switches off an Xdebug that php.ini itself loads.
    XDEBUG_MODE: 'off',
    ...(database ? databaseVariables(database) : {}),
    ...(sqlite === undefined ? {} : sqliteVariables(sqlite)),
    ...(redis ? redisVariables(redis) : {}),
    ...Object.fromEntries(Object.entries(env).map(([key, value]) => [key, String(value)])),
  }
}

/** Paths, as the runtime's server sees them. */
export interface BenchPaths {
  /** The root of the revision's files. */
  project: string
  /** The entry file, or '' if the repository has none. */
  app: string
  /** The front script, or '' if the configuration names none. */
  front: string
  /** The handler file of each built-in workload, by name. */
  handlers: Record<string, string>
  /** Where workloads write files. */
  directory: string
}

/**
 * Variables for a runtime's server, which php/src/Server/Environment.php reads.
 *
 * @param database the name of the built-in workloads' database
 */
export function benchVariables(
  paths: BenchPaths,
  { instances, connections }: Pick<Config, 'instances' | 'connections'>,
  database: Reached | undefined,
): Record<string, string> {
  return {
    APB_PROJECT: paths.project,
    APB_APP: paths.app,
    APB_FRONT: paths.front,
    APB_WORKLOADS: JSON.stringify(paths.handlers),
    APB_DIRECTORY: paths.directory,
    APB_INSTANCES: instances,
    APB_CONNECTIONS: String(connections),
    ...(database
      ? {
          APB_DB_DSN: `${NAMES[database.language].dsn}host=${database.access.host};port=${database.access.port};dbname=${database.name}${NAMES[database.language].charset}`,
          APB_DB_USER: database.access.user,
          APB_DB_PASSWORD: database.access.password,
        }
      : {}),
  }
}

/** Variables that php-fpm.conf and Environment.php read: in a measured run servers only serve. */
export function purposeVariables(purpose: Purpose): Record<string, string> {
  return { preflight: { APB_PREFLIGHT: '1' }, measurement: {}, profile: { APB_PROFILE: '1' }, check: {} }[purpose]
}

/** Variables of one start, for a runtime's server. */
export function startVariables(
  runtime: Runtime,
  start: { nonce: string; address: string; port: number; workers: number; directory: string },
): Record<string, string> {
  return {
    APB_NONCE: start.nonce,
    APB_ADDRESS: start.address,
    APB_PORT: String(start.port),
    APB_WORKERS: String(start.workers),
    APB_CONCURRENT: runtime.concurrent ? '1' : '0',
    APB_SCRATCH: start.directory,
  }
}

/** One worker per CPU, or one per connection. A check has one. */
export function workersOf(runtime: Runtime, connections: number, cpus: number, purpose: Purpose): number {
  if (purpose === 'check') return 1
  return runtime.workers === 'cpus' ? Math.min(cpus, connections) : connections
}

/** Each language's name in a URL, in a DSN of PDO and in Laravel. libpq refuses a URL with a character set. */
const NAMES: Record<Language, { scheme: string; query: string; connection: string; dsn: string; charset: string }> = {
  mysql: { scheme: 'mysql', query: '?charset=utf8mb4', connection: 'mysql', dsn: 'mysql:', charset: ';charset=utf8mb4' },
  postgres: { scheme: 'postgresql', query: '', connection: 'pgsql', dsn: 'pgsql:', charset: '' },
}

function databaseVariables({ language, access, name }: Reached): Record<string, string> {
  const login = `${encodeURIComponent(access.user)}:${encodeURIComponent(access.password)}`
  const { scheme, query, connection } = NAMES[language]
  return {
    DATABASE_URL: `${scheme}://${login}@${access.host}:${access.port}/${name}${query}`,
    DB_CONNECTION: connection,
    DB_HOST: access.host,
    DB_PORT: String(access.port),
    DB_NAME: name,
    DB_DATABASE: name,
    DB_USER: access.user,
    DB_USERNAME: access.user,
    DB_PASSWORD: access.password,
  }
}

/** @param file an absolute path, which follows three slashes in the URL */
function sqliteVariables(file: string): Record<string, string> {
  return { DATABASE_URL: `sqlite:///${file}`, DB_CONNECTION: 'sqlite', DB_NAME: file, DB_DATABASE: file }
}

function redisVariables({ host, port }: Address): Record<string, string> {
  return { REDIS_URL: `redis://${host}:${port}`, REDIS_HOST: host, REDIS_PORT: String(port) }
}

/**
 * PHP's settings in every mode. The user's come last and win.
 *
 * @param extensionFiles extensions that were built for this job
 */
export function iniFile({ php }: Pick<Config, 'php'>, extensionFiles: readonly string[]): string {
  const settings: Record<string, string | number | boolean> = {
    'opcache.enable': 1,
    'opcache.enable_cli': 1,
    'opcache.validate_timestamps': 0,
    'opcache.memory_consumption': 192,
    'opcache.max_accelerated_files': 20000,
    'opcache.jit': 'disable',
    'opcache.jit_buffer_size': 0,
    realpath_cache_size: '4M',
    realpath_cache_ttl: 600,
    memory_limit: '256M',
    max_execution_time: 0,
    'zend.assertions': -1,
    display_errors: 0,
    log_errors: 1,
    html_errors: 0,
    expose_php: 0,
    'pcov.enabled': 0,
    // hey keeps no cookies, so each request that starts a session leaves a file. It goes into the directory that is removed after the run.
    'session.save_path': '${APB_DIRECTORY}',
    ...php.ini,
  }
  const lines = Object.entries(settings).map(
    ([key, value]) => `${key} = ${typeof value === 'string' ? JSON.stringify(value) : Number(value)}\n`,
  )
  return [...extensionFiles.map((file) => `extension = ${JSON.stringify(file)}\n`), ...lines].join('')
}
