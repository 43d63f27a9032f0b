/** The APB_ variables: the task of a runtime's server, which php/src/Server/Environment.php reads. Pure. */
import type { Language } from '../../config/database.ts'
import type { Runtime } from '../../config/runtimes.ts'
import type { Config } from '../../config/schema.ts'
import type { BuiltIn, Workload } from '../../config/workload.ts'
import type { Purpose } from '../engine.ts'
import type { Reached } from './database.ts'
import type { Entry } from './entry.ts'

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
 * The paths of a revision.
 *
 * @param place its root, the directory for files, and the handler file of each built-in workload
 */
export function benchPaths(
  { app, front }: Entry,
  workloads: readonly Workload[],
  place: Pick<BenchPaths, 'project' | 'directory'> & { handlerOf: (name: string, builtIn: BuiltIn) => string },
): BenchPaths {
  const under = (path: string): string => path && `${place.project}/${path}`
  const handlers = workloads.flatMap(({ name, builtIn }) => (builtIn ? [[name, place.handlerOf(name, builtIn)]] : []))
  return {
    project: place.project,
    app: under(app),
    front: under(front),
    handlers: Object.fromEntries(handlers),
    directory: place.directory,
  }
}

/** Services of the built-in workloads. */
export interface BenchServices {
  database?: Reached | undefined
  /** The address of the slow upstream, as host:port. */
  upstream?: string | undefined
}

/** Variables that are the same for every start of a revision's servers. */
export function benchVariables(
  paths: BenchPaths,
  { instances, connections }: Pick<Config, 'instances' | 'connections'>,
  { database, upstream }: BenchServices,
): Record<string, string> {
  return {
    APB_PROJECT: paths.project,
    APB_APP: paths.app,
    APB_FRONT: paths.front,
    APB_WORKLOADS: JSON.stringify(paths.handlers),
    APB_DIRECTORY: paths.directory,
    APB_INSTANCES: instances,
    APB_CONNECTIONS: String(connections),
    ...(upstream === undefined ? {} : { APB_UPSTREAM: upstream }),
    ...(database
      ? {
          APB_DB_DSN: dsnOf(database),
          APB_DB_USER: database.access.user,
          APB_DB_PASSWORD: database.access.password,
        }
      : {}),
  }
}

/** Variables that php-fpm.conf and Environment.php read: in a measured run servers only serve. */
export function purposeVariables(purpose: Purpose, { checks }: Pick<Config, 'checks'>): Record<string, string> {
  return {
    preflight: { APB_PREFLIGHT: '1' },
    measurement: {},
    profile: { APB_PROFILE: '1' },
    check: {},
    reload: { APB_RELOAD: '1' },
    recycle: { APB_RELOAD: '1', APB_RECYCLE: String(checks['recycle-after']) },
  }[purpose]
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

/** One worker per CPU, or one per connection. A check has one. Where workers are replaced, there are two. */
export function workersOf(runtime: Runtime, connections: number, cpus: number, purpose: Purpose): number {
  if (purpose === 'check') return 1
  if (purpose === 'reload' || purpose === 'recycle') return Math.min(2, connections)
  return runtime.workers === 'cpus' ? Math.min(cpus, connections) : connections
}

/** Connections of a counted arm. PHP-FPM gets one child: with several, chance would decide which one answers. */
export function countedConnections({ concurrent }: Pick<Runtime, 'concurrent'>, connections: number): number {
  return concurrent ? connections : 1
}

/** The beginning and the end of PDO's DSN, by language. */
const DSN: Record<Language, [string, string]> = { mysql: ['mysql:', ';charset=utf8mb4'], postgres: ['pgsql:', ''] }

function dsnOf({ language, access, name }: Reached): string {
  const [driver, charset] = DSN[language]
  return `${driver}host=${access.host};port=${access.port};dbname=${name}${charset}`
}
