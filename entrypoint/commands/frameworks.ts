/** What `init` knows of frameworks: how each is recognised, and the files that work for it. Pure. */

export interface Framework {
  name: string
  /** bench/app.php; none where the framework brings its own server. */
  app?: string
  config: string
  next: string[]
}

/** The first match, from the most particular to the most general, with the packages that it is recognised by. */
export function detect(packages: string[]): Framework & { seen: string[] } {
  const has = (name: string): boolean => packages.includes(name)
  const rule = FRAMEWORKS.find(({ when }) => when(has)) as Rule
  const seen: string[] = []
  rule.when((name) => {
    if (has(name)) seen.push(name)
    return has(name)
  })
  return { ...rule.make(has), seen }
}

interface Rule {
  when: (has: (name: string) => boolean) => boolean
  make: (has: (name: string) => boolean) => Framework
}

const PATH_HINT = 'add paths of your app under workloads: in .github/async-php-bench.yml'

const FRAMEWORKS: Rule[] = [
  {
    when: (has) => has('laravel/octane'),
    make: () =>
      byCommand(
        'Laravel Octane',
        'php artisan serve --no-reload --host=127.0.0.1 --port={port}',
        'php artisan octane:start --server=swoole --host=127.0.0.1 --port={port}',
        '/up',
        ['php artisan config:cache', 'php artisan route:cache'],
      ),
  },
  {
    when: (has) => has('hyperf/http-server') || has('hyperf/framework'),
    make: () => byCommand('Hyperf', null, 'HTTP_SERVER_PORT={port} php bin/hyperf.php start', '/', []),
  },
  {
    when: (has) => has('runtime/swoole'),
    make: () =>
      byCommand(
        'runtime/swoole',
        'php -S 127.0.0.1:{port} -t public',
        'APP_RUNTIME="Runtime\\\\Swoole\\\\Runtime" SWOOLE_PORT={port} php public/index.php',
        '/',
        [],
      ),
  },
  {
    when: (has) => has('laravel/framework'),
    make: () => ({
      name: 'Laravel',
      app: php(
        "return static function (array $context): object {\n    $app = require __DIR__ . '/../bootstrap/app.php';\n\n    return $app->make(Illuminate\\Contracts\\Http\\Kernel::class);\n};",
      ),
      config: config(
        'modes: [fpm, swoole-sync]   # Laravel keeps static state: not for coroutines. Or Octane, by command',
        'workloads: [fibonacci, { name: home, path: / }]',
        'setup: [php artisan config:cache, php artisan route:cache]',
      ),
      next: [PATH_HINT],
    }),
  },
  {
    when: (has) => has('symfony/framework-bundle') || has('symfony/http-kernel'),
    make: (has) => ({
      name: 'Symfony',
      app: php(
        "return static fn (array $context): object => new App\\Kernel($context['APP_ENV'] ?? 'prod', (bool) ($context['APP_DEBUG'] ?? false));",
      ),
      config: config(
        'modes: [fpm, swoole]',
        'workloads: [fibonacci, { name: home, path: / }]',
        has('symfony/framework-bundle') ? 'setup: [php bin/console cache:warmup]' : '',
      ),
      next: [PATH_HINT],
    }),
  },
  {
    when: (has) => has('slim/slim'),
    make: () => ({
      name: 'Slim',
      app: php(
        "// The app of public/index.php, without $app->run(). Move its set-up into a file that both can require.\nreturn static fn (array $context): object => require __DIR__ . '/../config/app.php';",
      ),
      config: config('modes: [fpm, swoole]', 'workloads: [fibonacci, { name: home, path: / }]'),
      next: ['let config/app.php return your Slim\\App', PATH_HINT],
    }),
  },
  {
    when: (has) => has('mezzio/mezzio'),
    make: () => ({
      name: 'Mezzio',
      app: php(
        "return static function (array $context): object {\n    $container = require __DIR__ . '/../config/container.php';\n    $app = $container->get(Mezzio\\Application::class);\n    $factory = $container->get(Mezzio\\MiddlewareFactory::class);\n    (require __DIR__ . '/../config/pipeline.php')($app, $factory, $container);\n    (require __DIR__ . '/../config/routes.php')($app, $factory, $container);\n\n    return $app;\n};",
      ),
      config: config('modes: [fpm, swoole]', 'workloads: [fibonacci, { name: home, path: / }]'),
      next: [PATH_HINT],
    }),
  },
  {
    when: () => true,
    make: (has) => ({
      name: 'a PHP app',
      app: php(
        "use Psr\\Http\\Message\\ResponseInterface;\nuse Psr\\Http\\Message\\ServerRequestInterface;\n\nreturn static function (array $context): object {\n    // Make your app here, as $app, and remove the next line.\n    throw new LogicException('bench/app.php, line ' . __LINE__ . ': not edited yet. Make your app here and remove this line.');\n\n    // Takes a request to your app and returns its answer.\n    return static function (ServerRequestInterface $request) use ($app): ResponseInterface {\n        return $app->handle($request);\n    };\n};",
      ),
      config: config('modes: [fpm, swoole]', 'workloads: [fibonacci, { name: home, path: / }]'),
      next: [
        ...(has('nyholm/psr7') ? [] : ['composer require nyholm/psr7']),
        'call your app in bench/app.php: until then every measurement of it is refused',
        PATH_HINT,
      ],
    }),
  },
]

function php(body: string): string {
  return `<?php\n\ndeclare(strict_types=1);\n\n${body.startsWith('use ') ? `${body.replace(/\n\n/, "\n\nrequire_once __DIR__ . '/../vendor/autoload.php';\n\n")}` : `require_once __DIR__ . '/../vendor/autoload.php';\n\n${body}`}\n`
}

function config(...lines: string[]): string {
  return [
    ...lines.filter(Boolean),
    'loads: { medium: { concurrency: 8 }, high: { concurrency: 32 } }',
    'budget: 25m',
    'gate: { max-regression: 5, resolution: 10 }',
    '',
  ].join('\n')
}

/** Servers that bring their own: built-in workloads cannot run in them. */
function byCommand(name: string, sync: string | null, async: string, health: string, setup: string[]): Framework {
  const mode = (key: string, kind: string, command: string): string =>
    `  - { name: ${key}, kind: ${kind}, command: ${JSON.stringify(command)}, health: ${health} }`
  return {
    name,
    config: config(
      'modes:',
      ...(sync ? [mode('sync', 'sync', sync)] : []),
      mode('async', 'async', async),
      'workloads: [{ name: home, path: / }]',
      setup.length ? `setup: [${setup.join(', ')}]` : '',
    ),
    next: [
      sync ? 'check that both commands start your app by hand' : 'there is one mode only: add a synchronous one to compare with',
      PATH_HINT,
    ],
  }
}
