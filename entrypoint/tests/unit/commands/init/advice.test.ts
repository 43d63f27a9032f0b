/** `init` beyond the framework: conflicts, the runtime of FPM, and the PHP of the workflow. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parseConfig } from '../../../../config/parse.ts'
import { RUNTIME_FRONT } from './cases.ts'
import { init, repository } from './repositories.ts'

describe('init', () => {
  test('reports files that conflict with its configuration', async () => {
    const old = repository(['laravel/octane'], { 'bench/app.php': '<?php' })
    assert.match((await init(old)).join('\n'), /next: git rm bench\/app\.php: together with front: it is refused/)
    const port = "<?php $_SERVER['APP_RUNTIME_OPTIONS'] = ['port' => 9501]; require 'vendor/autoload_runtime.php';"
    const fixed = repository(['runtime/swoole'], { 'public/index.php': port })
    assert.match((await init(fixed)).join('\n'), /next: remove 'port' from APP_RUNTIME_OPTIONS in public\/index\.php/)
    const other = repository(['symfony/framework-bundle', 'runtime/frankenphp-symfony'], { 'src/Kernel.php': '<?php' })
    assert.match((await init(other)).join('\n'), /next: to measure the server of runtime\/frankenphp-symfony, add a mode with its command/)
  })

  test('keeps fpm on its own runtime if composer.json names another', async () => {
    const require = { 'runtime/swoole': '*' }
    const extra = { runtime: { class: 'Runtime\\Swoole\\Runtime' } }
    const directory = repository([], { 'composer.json': JSON.stringify({ require, extra }), 'public/index.php': RUNTIME_FRONT })
    await init(directory)
    const { env } = parseConfig(readFileSync(join(directory, '.github/async-php-bench.yml'), 'utf8'), 'c.yml')
    assert.deepEqual(env, { APP_RUNTIME: 'Symfony\\Component\\Runtime\\SymfonyRuntime' })
  })

  test('takes PHP and extensions of the workflow from composer.json and composer.lock', async () => {
    const steps = async (composer: object, lock?: object): Promise<[said: string, php: string]> => {
      const directory = repository([], {
        'composer.json': JSON.stringify(composer),
        ...(lock ? { 'composer.lock': JSON.stringify(lock) } : {}),
      })
      const said = (await init(directory)).find((line) => line.startsWith('PHP')) as string
      const workflow = readFileSync(join(directory, '.github/workflows/async-php-bench.yml'), 'utf8')
      return [said, (/php-version: .*\n.*extensions: .*/.exec(workflow) as RegExpExecArray)[0].replace(/\s+/g, ' ')]
    }
    assert.deepEqual(await steps({ require: { php: '~8.3.0', 'ext-json': '*', 'ext-redis': '*' } }), [
      'PHP of the workflow: 8.3, the newest that composer.json (php ~8.3.0) allows',
      'php-version: "8.3" extensions: swoole, redis',
    ])
    assert.deepEqual(await steps({ require: { php: '^8.1' } }, { packages: [{ name: 'a/b', require: { php: '<8.5' } }] }), [
      'PHP of the workflow: 8.4, the newest that composer.json (php ^8.1) and the packages of composer.lock allow',
      'php-version: "8.4" extensions: swoole',
    ])
    assert.match(
      (await steps({ config: { platform: { php: '8.2.7' } } }))[0],
      /^PHP of the workflow: 8\.2, config\.platform\.php of composer\.json is 8\.2\.7$/,
    )
    assert.match(
      (await steps({ require: { php: '^7.4' } }))[0],
      /composer\.json requires php \^7\.4\. Swoole 6\.2 runs with PHP 8\.2 to 8\.5/,
    )
  })

  test('reports that tables must be created, unless migrations do it', async () => {
    const packages = ['symfony/framework-bundle', 'symfony/orm-pack']
    const files = { 'bin/console': '#!', 'src/Kernel.php': '<?php' }
    const hint = /next: create the app's tables and rows with a command under setup: \(symfony\/orm-pack: /
    assert.match((await init(repository(packages, files))).join('\n'), hint)
    const migrated = repository(packages, { ...files, 'migrations/Version1.php': '<?php' })
    assert.doesNotMatch((await init(migrated)).join('\n'), /create the app's tables/)
    const { setup } = parseConfig(readFileSync(join(migrated, '.github/async-php-bench.yml'), 'utf8'), 'c.yml')
    assert.deepEqual(setup, ['php bin/console doctrine:migrations:migrate --no-interaction', 'php bin/console cache:warmup'])
    assert.match((await init(repository(['ext-pdo_mysql']))).join('\n'), /with a command under setup: \(ext-pdo_mysql: /)
    assert.doesNotMatch((await init(repository(['slim/slim']))).join('\n'), /create the app's tables/)
  })
})
