/** The next steps of `init` never contradict what lies in the repository, in any state between a front script and bench/app.php. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { init, repository } from './repositories.ts'

const FRONT = 'public/index.php'
const ENTRY = 'bench/app.php'
const CONFIG = '.github/async-php-bench.yml'

function put(directory: string, name: string, text: string): void {
  mkdirSync(dirname(join(directory, name)), { recursive: true })
  writeFileSync(join(directory, name), text)
}
const steps = async (directory: string): Promise<string> => (await init(directory)).filter((line) => line.startsWith('next: ')).join('\n')
const read = (directory: string, name: string): string => readFileSync(join(directory, name), 'utf8')

describe('the next steps of an app with a front script', () => {
  test('say why coroutines are not measured, and how to measure them', async () => {
    const directory = repository([], { [FRONT]: '<?php echo 1;' })
    assert.match(
      await steps(directory),
      /next: coroutines are not measured yet: public\/index\.php runs for each request, since nothing shows /,
    )
    // The same repository again.
    assert.match(
      await steps(directory),
      /return the app from bench\/app\.php; in \.github\/async-php-bench\.yml remove front: and set modes: \[fpm, swoole\]/,
    )
  })
  test('of Slim name the line that prevents bench/app.php', async () => {
    const directory = repository(['slim/slim'], { [FRONT]: '<?php\nsession_start();\n$app->run();' })
    const said = await steps(directory)
    assert.match(said, /since line 2 sends output or headers\n/)
    assert.match(said, /move the lines that create the app to config\/app\.php, return it there, and run init again/)
    const old = repository([], { [FRONT]: '<?php', 'composer.json': '{"require":{"slim/slim":"^3.12"}}' })
    assert.match(await steps(old), /since the app of Slim 3 is no PSR-15 handler\n/)
  })
  test('name both ways while front: and bench/app.php lie side by side', async () => {
    const directory = repository([], { [FRONT]: '<?php echo 1;' })
    await init(directory)
    put(directory, ENTRY, '<?php return fn () => 1;')
    assert.match(
      await steps(directory),
      /remove front: from .* and set modes: \[fpm, swoole\], or git rm bench\/app\.php: together they are refused/,
    )
    assert.doesNotMatch(await steps(directory), /coroutines are not measured yet/)
  })
  test('say nothing of front: after the move to bench/app.php', async () => {
    for (const packages of [[], ['slim/slim']]) {
      const directory = repository(packages, { [FRONT]: '<?php session_start();' })
      await init(directory)
      put(directory, ENTRY, '<?php return fn () => 1;')
      put(directory, CONFIG, 'modes: [fpm, swoole]\nworkloads: [{ name: users, path: /users }]\n')
      const said = await steps(directory)
      assert.doesNotMatch(said, /front|git rm|coroutines|config\/app\.php|add paths/)
      assert.match(said, /git add bench\/app\.php \.github/)
    }
  })
  test('ask for the entry file if front: was removed before it exists', async () => {
    const directory = repository([], { [FRONT]: '<?php echo 1;', [CONFIG]: 'modes: [fpm, swoole]\n' })
    assert.match(await steps(directory), /names no front:, so return the app from bench\/app\.php; or set front: public\/index\.php/)
  })
})

describe('init beside a configuration that it leaves', () => {
  test('writes no bench/app.php beside front:, and says how to get it', async () => {
    const files = { [FRONT]: '<?php\n$app->run();', [CONFIG]: 'front: public/index.php\nmodes: [fpm, swoole-sync]\n' }
    const directory = repository(['slim/slim'], files)
    const said = (await init(directory)).join('\n')
    assert.match(said, /^bench\/app\.php: not written, because front: in \.github\/async-php-bench\.yml names public\/index\.php$/m)
    assert.match(said, /next: to measure coroutines, remove front: from .*, set modes: \[fpm, swoole\] there, and run init again/)
    assert.ok(!existsSync(join(directory, ENTRY)))
    put(directory, CONFIG, 'modes: [fpm, swoole]\n')
    assert.doesNotMatch(await steps(directory), /front:/)
    assert.match(read(directory, ENTRY), /\$app;/)
  })
  test('writes no bench/app.php if app: names another file', async () => {
    const directory = repository(['mezzio/mezzio'], { [CONFIG]: 'app: bench/mezzio.php\n' })
    assert.match((await init(directory)).join('\n'), /^bench\/app\.php: not written, because app: in .* names bench\/mezzio\.php$/m)
    assert.ok(!existsSync(join(directory, ENTRY)))
  })
  test('repeats no hint that was followed', async () => {
    const directory = repository(['nyholm/psr7'])
    assert.match(await steps(directory), /call your app in bench\/app\.php: until then/)
    put(directory, ENTRY, '<?php return fn () => 1;')
    assert.doesNotMatch(await steps(directory), /call your app/)
    rmSync(join(directory, CONFIG))
    put(directory, CONFIG, 'setup: [php bin/fill.php]\n')
    put(directory, 'composer.json', '{"require":{"doctrine/dbal":"*"}}')
    assert.doesNotMatch(await steps(directory), /create the app's tables/)
  })
})
