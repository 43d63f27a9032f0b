/** The environment of the app, and PHP's settings. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseConfig } from '../../../config/parse.ts'
import { benchVariables } from '../../../engines/shared/bench-variables.ts'
import { appEnvironment } from '../../../engines/shared/environment.ts'
import { iniFile } from '../../../engines/shared/ini-file.ts'

describe('the environment of the app', () => {
  const config = parseConfig('env: { APP_ENV: staging, N: 1 }\nphp: { ini: { memory_limit: 64M } }', 'c.yml')
  const outer = {
    PATH: '/bin',
    HOME: '/h',
    GITHUB_TOKEN: 's',
    ACTIONS_RUNTIME_TOKEN: 's',
    INPUT_GITHUB_TOKEN: 's',
    NPM_TOKEN: 's',
    LC_ALL: 'de_DE.UTF-8',
  }
  const database = { access: { host: 'h', port: 1, user: 'u', password: 'p/w' }, name: 'db' }
  const env = appEnvironment(config, outer, ':/ini', { database: { language: 'mysql', ...database } })

  test('holds no token and no input', () => assert.ok(!Object.values(env).includes('s')))
  test('has the variables of the configuration and the database', () => {
    assert.deepEqual(
      [env.APP_ENV, env.APP_DEBUG, env.N, env.DB_NAME, env.DATABASE_URL, env.PHP_INI_SCAN_DIR],
      ['staging', '0', '1', 'db', 'mysql://u:p%2Fw@h:1/db?charset=utf8mb4', ':/ini'],
    )
  })
  test('names a database by its protocol', () => {
    const of = appEnvironment(config, outer, ':/ini', { database: { language: 'postgres', ...database } })
    assert.deepEqual([of.DATABASE_URL, of.DB_CONNECTION, of.DB_PORT], ['postgresql://u:p%2Fw@h:1/db', 'pgsql', '1'])
    const { APB_DB_DSN } = benchVariables(
      { project: '', app: '', front: '', handlers: {}, directory: '' },
      { instances: 'pool', connections: 1 },
      { database: { language: 'postgres', ...database } },
    )
    assert.equal(APB_DB_DSN, 'pgsql:host=h;port=1;dbname=db')
  })
  test('names a file by an absolute path, and no server beside it', () => {
    const { DATABASE_URL, DB_CONNECTION, DB_DATABASE, DB_NAME, DB_HOST } = appEnvironment(config, outer, ':/ini', { sqlite: '/d/x.sqlite' })
    assert.deepEqual([DATABASE_URL, DB_CONNECTION, DB_DATABASE, DB_NAME], ['sqlite:////d/x.sqlite', 'sqlite', '/d/x.sqlite', '/d/x.sqlite'])
    assert.equal(DB_HOST, undefined)
  })
  test('names a Redis if there is one', () => {
    const { REDIS_URL, REDIS_HOST, REDIS_PORT } = appEnvironment(config, outer, ':/ini', { redis: { host: 'h', port: 2 } })
    assert.deepEqual([REDIS_URL, REDIS_HOST, REDIS_PORT], ['redis://h:2', 'h', '2'])
    assert.equal('REDIS_URL' in env, false)
  })
  test('keeps freed memory, unless the configuration says otherwise', () => {
    const own = parseConfig('env: { MALLOC_TRIM_THRESHOLD_: 131072 }', 'c.yml')
    const thresholds = (given: typeof config): (string | undefined)[] => {
      const { MALLOC_MMAP_THRESHOLD_, MALLOC_TRIM_THRESHOLD_ } = appEnvironment(given, outer, ':/ini', {})
      return [MALLOC_MMAP_THRESHOLD_, MALLOC_TRIM_THRESHOLD_]
    }
    assert.deepEqual(thresholds(config), [String(32 << 20), String(256 << 20)])
    assert.deepEqual(thresholds(own), [String(32 << 20), '131072'])
  })
  test('comes with ini settings, of which the last wins', () => {
    const ini = iniFile(config, ['/x.so'])
    assert.match(ini, /^extension = "\/x\.so"\n[\s\S]*opcache\.enable_cli = 1\n/)
    assert.deepEqual(ini.match(/memory_limit.*/g), ['memory_limit = "64M"'])
  })
})
