/** PHP's settings as the text of an ini file. Pure. */
import type { Config } from '../../config/schema.ts'

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
