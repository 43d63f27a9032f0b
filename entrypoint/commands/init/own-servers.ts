/** The configuration for frameworks with their own server. It compares that server with FPM on the same public/index.php. Pure. */
import { commandMode, configText, setupLine } from './config-text.ts'
import { HYPERF } from './entry-files.ts'
import { type Found, FRONT, PATHS_HINT } from './found.ts'
import { LARAVEL_ENV, laravelSetup } from './laravel.ts'
import type { Repository } from './repository.ts'

export function octane(repository: Repository): Found {
  const command = 'php artisan octane:start --server=swoole --host=127.0.0.1 --port={port} --max-requests=0'
  const bootstrap = repository.text('bootstrap/app.php') ?? ''
  return {
    name: 'Laravel Octane',
    files: {},
    config: configText(
      `front: ${FRONT}   # for fpm`,
      'modes:',
      '  - fpm',
      '  # --max-requests=0: a worker that is replaced within a run would pay for its start there.',
      `  - ${commandMode('octane', 'async', command, /health:\s*['"]\/up['"]/.test(bootstrap) ? '/up' : '/')}`,
      'workloads: [{ name: home, path: / }]',
      LARAVEL_ENV,
      setupLine(laravelSetup(repository)),
    ),
    next: [PATHS_HINT],
  }
}

/** The namespace of the class Runtime, by package. */
const SWOOLE_RUNTIMES = { 'runtime/swoole': 'Runtime\\Swoole', 'runtime/swoole-nyholm': 'Runtime\\SwooleNyholm' }

/** The installed Swoole package of runtime/…, if public/index.php uses the runtime component. */
export function swooleRuntime({ requires, text }: Repository): keyof typeof SWOOLE_RUNTIMES | undefined {
  const name = (Object.keys(SWOOLE_RUNTIMES) as (keyof typeof SWOOLE_RUNTIMES)[]).find((name) => name in requires)
  return name && /autoload_runtime\.php/.test(text(FRONT) ?? '') ? name : undefined
}

export function bySwooleRuntime(repository: Repository, name: keyof typeof SWOOLE_RUNTIMES, setup: string[]): Found {
  const command = `APP_RUNTIME='${SWOOLE_RUNTIMES[name]}\\Runtime' SWOOLE_PORT={port} php ${FRONT}`
  const hasOwnPort = /APP_RUNTIME_OPTIONS[\s\S]*['"]port['"]\s*=>/.test(repository.text(FRONT) ?? '')
  return {
    name,
    files: {},
    config: configText(
      `front: ${FRONT}   # for fpm`,
      'modes:',
      '  - fpm',
      `  - ${commandMode('swoole-runtime', 'async', command, '/')}`,
      'workloads: [{ name: home, path: / }]',
      repository.runtimeClass ? `env: { APP_RUNTIME: ${JSON.stringify('Symfony\\Component\\Runtime\\SymfonyRuntime')} }   # of fpm` : '',
      setupLine(setup),
    ),
    next: [...(hasOwnPort ? [`remove 'port' from APP_RUNTIME_OPTIONS in ${FRONT}: it wins over SWOOLE_PORT`] : []), PATHS_HINT],
  }
}

/** Hyperf runs only on Swoole. So its reference is Hyperf with the I/O hooks off. */
export function hyperf(): Found {
  const command = 'PORT={port} php bench/hyperf.php start'
  return {
    name: 'Hyperf',
    files: { 'bench/hyperf.php': HYPERF },
    config: configText(
      'modes:',
      '  # Hyperf without coroutine I/O: a worker for each of the 16 connections, one request at a time.',
      `  - ${commandMode('hyperf-blocking', 'sync', `BLOCKING_WORKERS=16 ${command}`, '/')}`,
      `  - ${commandMode('hyperf', 'async', command, '/')}`,
      'workloads: [{ name: home, path: / }]',
      'php: { ini: { swoole.use_shortname: "Off" } }   # Hyperf requires it',
    ),
    next: [PATHS_HINT],
  }
}
