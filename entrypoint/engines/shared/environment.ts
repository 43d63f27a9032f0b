/** The environment of the app and of everything that it starts. Pure. */
import type { Language } from '../../config/database.ts'
import type { Config } from '../../config/schema.ts'
import { ofApp } from '../../system/environment.ts'
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

/** Each language's name in a URL and in Laravel. libpq refuses a URL with a character set. */
const NAMES: Record<Language, { scheme: string; query: string; connection: string }> = {
  mysql: { scheme: 'mysql', query: '?charset=utf8mb4', connection: 'mysql' },
  postgres: { scheme: 'postgresql', query: '', connection: 'pgsql' },
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
