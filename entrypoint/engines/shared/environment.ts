/** The environment of the app and of everything that it starts. Pure. */

import type { Runtime } from '../../config/runtimes.ts'
import type { Config } from '../../config/schema.ts'
import { ofApp } from '../../system/environment.ts'
import type { Purpose } from '../engine.ts'
import type { Access } from './database.ts'

/**
 * What is freed stays with the process, in every server. Else glibc gives the stacks of coroutines back to the kernel and takes them again,
 * as often as what a server's start left in its heap makes it: a revision that only holds more memory from its start took up to 10 % less CPU
 * time a request. Both as decimal bytes; mallopt(3): setting one ends their adjustment on the way, 32 MiB is the most for the first.
 */
const KEPT_MEMORY = { MALLOC_MMAP_THRESHOLD_: '33554432', MALLOC_TRIM_THRESHOLD_: '268435456' }

/**
 * @param iniDirectories what PHP scans for ini files, in the form of PHP_INI_SCAN_DIR
 * @param database the app's, of one revision
 */
export function appEnvironment(
  { env }: Pick<Config, 'env'>,
  outer: Record<string, string | undefined>,
  iniDirectories: string,
  database: { access: Access; name: string } | undefined,
): Record<string, string> {
  return {
    ...ofApp(outer),
    ...KEPT_MEMORY,
    APP_ENV: 'prod',
    APP_DEBUG: '0',
    PHP_INI_SCAN_DIR: iniDirectories,
    // An Xdebug that php.ini itself loads.
    XDEBUG_MODE: 'off',
    ...(database ? databaseVariables(database.access, database.name) : {}),
    ...Object.fromEntries(Object.entries(env).map(([key, value]) => [key, String(value)])),
  }
}

/** Where things are, as the runtime's server sees them. */
export interface BenchPaths {
  /** Root of the revision's files. */
  project: string
  /** The entry file, or '' where the repository has none. */
  app: string
  /** The front script, or '' where the configuration names none. */
  front: string
  /** Handler file of each built-in workload, by name. */
  handlers: Record<string, string>
  /** Where workloads write files. */
  directory: string
}

/**
 * What a runtime's server reads: php/src/Server/Environment.php.
 *
 * @param database name of the built-in workloads' database
 */
export function benchVariables(
  paths: BenchPaths,
  { instances, connections }: Pick<Config, 'instances' | 'connections'>,
  database: { access: Access; name: string } | undefined,
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
          APB_DB_DSN: `mysql:host=${database.access.host};port=${database.access.port};dbname=${database.name};charset=utf8mb4`,
          APB_DB_USER: database.access.user,
          APB_DB_PASSWORD: database.access.password,
        }
      : {}),
  }
}

/** php-fpm.conf reads it, and Environment.php: in a measured run servers do nothing but serve. */
export function purposeVariables(purpose: Purpose): Record<string, string> {
  return purpose === 'preflight' ? { APB_PREFLIGHT: '1' } : {}
}

/** What a runtime's server is told of one start. */
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

/** One worker a CPU, or one a connection. */
export function workersOf(runtime: Runtime, connections: number, cpus: number): number {
  return runtime.workers === 'cpus' ? Math.min(cpus, connections) : connections
}

function databaseVariables(access: Access, name: string): Record<string, string> {
  const login = `${encodeURIComponent(access.user)}:${encodeURIComponent(access.password)}`
  return {
    DATABASE_URL: `mysql://${login}@${access.host}:${access.port}/${name}?charset=utf8mb4`,
    DB_CONNECTION: 'mysql',
    DB_HOST: access.host,
    DB_PORT: String(access.port),
    DB_NAME: name,
    DB_DATABASE: name,
    DB_USER: access.user,
    DB_USERNAME: access.user,
    DB_PASSWORD: access.password,
  }
}

/**
 * Settings of PHP in every mode. The user's come last and win.
 *
 * @param extensionFiles extensions built for this job
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
    // hey keeps no cookies, so each request that starts a session leaves a file: in the directory that goes with the run.
    'session.save_path': '${APB_DIRECTORY}',
    ...php.ini,
  }
  const lines = Object.entries(settings).map(
    ([key, value]) => `${key} = ${typeof value === 'string' ? JSON.stringify(value) : Number(value)}\n`,
  )
  return [...extensionFiles.map((file) => `extension = ${JSON.stringify(file)}\n`), ...lines].join('')
}
