/** The apps that `init` knows, and the files that it writes for each. */

export const RUNTIME_FRONT = "<?php require_once dirname(__DIR__).'/vendor/autoload_runtime.php'; return fn () => new App\\Kernel();"
const SKELETON = Object.fromEntries(
  ['settings', 'dependencies', 'repositories', 'middleware', 'routes'].map((p) => [`app/${p}.php`, '<?php']),
)

export interface Case {
  app: string
  packages: string[]
  files?: Record<string, string>
  name: string
  /** The names of the modes, and the text of the configuration. */
  modes: string[]
  config: RegExp
  /** The written PHP file. */
  writes?: [name: string, text: RegExp]
}

const OCTANE = ['laravel/framework', 'laravel/octane']
export const CASES: Case[] = [
  {
    app: 'Octane',
    packages: OCTANE,
    name: 'Laravel Octane',
    modes: ['fpm', 'octane'],
    config: /^front: public\/index\.php[\s\S]* --port=\{port\} --max-requests=0", health: \/ }/,
  },
  {
    app: 'Octane of Laravel 11',
    packages: OCTANE,
    files: { 'bootstrap/app.php': "<?php health: '/up'," },
    name: 'Laravel Octane',
    modes: ['fpm', 'octane'],
    config: /health: \/up }/,
  },
  {
    app: 'Hyperf',
    packages: ['hyperf/http-server'],
    name: 'Hyperf',
    modes: ['hyperf-blocking', 'hyperf'],
    config: /BLOCKING_WORKERS=16 PORT=\{port\} php bench\/hyperf\.php start/,
    writes: ['bench/hyperf.php', /'server\.servers\.0\.port', \(int\) getenv\('PORT'\)/],
  },
  {
    app: 'runtime/swoole',
    packages: ['runtime/swoole', 'symfony/framework-bundle'],
    files: { 'public/index.php': RUNTIME_FRONT },
    name: 'runtime/swoole',
    modes: ['fpm', 'swoole-runtime'],
    config: /^front: public\/index\.php[\s\S]*APP_RUNTIME='Runtime\\\\Swoole\\\\Runtime' SWOOLE_PORT=\{port\} php public\/index\.php/,
  },
  {
    app: 'runtime/swoole-nyholm',
    packages: ['runtime/swoole-nyholm'],
    files: { 'public/index.php': RUNTIME_FRONT },
    name: 'runtime/swoole-nyholm',
    modes: ['fpm', 'swoole-runtime'],
    config: /'Runtime\\\\SwooleNyholm\\\\Runtime'/,
  },
  {
    app: 'runtime/swoole beside a plain index.php',
    packages: ['runtime/swoole', 'symfony/framework-bundle'],
    files: { 'public/index.php': '<?php' },
    name: 'Symfony',
    modes: ['fpm', 'swoole'],
    config: /fibonacci/,
    writes: ['bench/app.php', /new App\\Kernel/],
  },
  {
    app: 'Laravel',
    packages: ['laravel/framework'],
    files: { 'database/migrations/0_users.php': '<?php' },
    name: 'Laravel',
    modes: ['fpm', 'swoole-sync'],
    config: /APP_KEY: "base64:\w{43}="[\s\S]*setup: \[php artisan migrate --force, php artisan config:cache/,
    writes: ['bench/app.php', /Contracts\\Http\\Kernel/],
  },
  {
    app: 'Symfony',
    packages: ['symfony/framework-bundle', 'symfony/dotenv'],
    files: { '.env': 'APP_ENV=dev', 'bin/console': '#!', 'src/Kernel.php': '<?php\n\nnamespace Shop;\n' },
    name: 'Symfony',
    modes: ['fpm', 'swoole'],
    config: /name: home[\s\S]*setup: \[php bin\/console cache:warmup\]/,
    writes: ['bench/app.php', /Dotenv\(\)\)->bootEnv\(__DIR__ \. '\/\.\.\/\.env'\);[\s\S]*new Shop\\Kernel/],
  },
  {
    app: 'Symfony without a home page',
    packages: ['symfony/framework-bundle'],
    files: {
      'src/Controller/A.php':
        "<?php\nclass A {\n #[Route('/new', methods: ['POST'])]\n #[Route('/{id}')]\n #[Route('/json', name: 'j')]\n}",
    },
    name: 'Symfony',
    modes: ['fpm', 'swoole'],
    config: /workloads: \[fibonacci, \/json\]/,
    writes: ['bench/app.php', /new App\\Kernel/],
  },
  {
    app: 'Slim-Skeleton',
    packages: ['slim/slim'],
    files: { ...SKELETON, 'public/index.php': '<?php' },
    name: 'Slim',
    modes: ['fpm', 'swoole'],
    config: /fibonacci/,
    writes: ['bench/app.php', /addRoutingMiddleware/],
  },
  {
    app: 'Slim with a file that returns it',
    packages: ['slim/slim'],
    files: { 'config/bootstrap.php': '<?php\nreturn $container->get(App::class);' },
    name: 'Slim',
    modes: ['fpm', 'swoole'],
    config: /fibonacci/,
    writes: ['bench/app.php', /'\/\.\.\/config\/bootstrap\.php'/],
  },
  {
    app: 'Slim run by its index.php',
    packages: ['slim/slim'],
    files: { 'public/index.php': "<?php\nrequire __DIR__ . '/../vendor/autoload.php';\n(new App\\AppBuilder())->build()->run();\n" },
    name: 'Slim',
    modes: ['fpm', 'swoole'],
    config: /fibonacci/,
    writes: ['bench/app.php', /^return static fn \(array \$context\): object => \(new App\\AppBuilder\(\)\)->build\(\);$/m],
  },
  {
    app: 'Slim made in its index.php',
    packages: ['slim/slim'],
    files: { 'public/index.php': '<?php' },
    name: 'Slim',
    modes: ['fpm', 'swoole-sync'],
    config: /^front: public\/index\.php/,
  },
  {
    app: 'Slim',
    packages: ['slim/slim'],
    name: 'Slim',
    modes: ['fpm', 'swoole'],
    config: /fibonacci/,
    writes: ['bench/app.php', /'\/\.\.\/config\/app\.php'/],
  },
  {
    app: 'Mezzio',
    packages: ['mezzio/mezzio'],
    name: 'Mezzio',
    modes: ['fpm', 'swoole'],
    config: /fibonacci/,
    writes: ['bench/app.php', /Mezzio/],
  },
  {
    app: 'a script',
    packages: [],
    files: { 'index.php': '<?php' },
    name: 'a PHP app',
    modes: ['fpm', 'swoole-sync'],
    config: /^front: index\.php/,
  },
  {
    app: 'a plain app',
    packages: [],
    name: 'a PHP app',
    modes: ['fpm', 'swoole'],
    config: /fibonacci/,
    writes: ['bench/app.php', /not edited yet/],
  },
]
