/** What the app finds in its environment, and PHP in its settings. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseConfig } from '../../../config/schema.ts'
import { appEnvironment, iniFile } from '../../../engines/shared/environment.ts'

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
  const env = appEnvironment(config, outer, ':/ini', { access: { host: 'h', port: 1, user: 'u', password: 'p/w' }, name: 'db' })

  test('holds no token and no input', () => assert.ok(!Object.values(env).includes('s')))
  test('holds what the configuration and the database give', () => {
    assert.deepEqual(
      [env.APP_ENV, env.APP_DEBUG, env.N, env.DB_NAME, env.DATABASE_URL, env.PHP_INI_SCAN_DIR],
      ['staging', '0', '1', 'db', 'mysql://u:p%2Fw@h:1/db?charset=utf8mb4', ':/ini'],
    )
  })
  test('keeps what is freed, unless the configuration says otherwise', () => {
    const own = parseConfig('env: { MALLOC_TRIM_THRESHOLD_: 131072 }', 'c.yml')
    const thresholds = (given: typeof config): (string | undefined)[] => {
      const { MALLOC_MMAP_THRESHOLD_, MALLOC_TRIM_THRESHOLD_ } = appEnvironment(given, outer, ':/ini', undefined)
      return [MALLOC_MMAP_THRESHOLD_, MALLOC_TRIM_THRESHOLD_]
    }
    assert.deepEqual(thresholds(config), [String(32 << 20), String(256 << 20)])
    assert.deepEqual(thresholds(own), [String(32 << 20), '131072'])
  })
  test('comes with ini settings of which the last wins', () => {
    const ini = iniFile(config, ['/x.so'])
    assert.match(ini, /^extension = "\/x\.so"\n[\s\S]*opcache\.enable_cli = 1\n/)
    assert.deepEqual(ini.match(/memory_limit.*/g), ['memory_limit = "64M"'])
  })
})
