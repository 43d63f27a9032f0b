/** The entry file that is used if the app has none. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { PACKAGE } from '../../../config/catalog.ts'
import { modesOf, refuseFront } from '../../../config/modes.ts'
import { parseConfig } from '../../../config/parse.ts'
import { entryOf, frontFunctions, scriptValues } from '../../../engines/shared/entry.ts'
import { fill } from '../../../engines/shared/template.ts'

const checkout = (directory: string) => ({ revision: 'head' as const, directory: join(PACKAGE, directory), label: 'abc' })
const LEGACY = 'entrypoint/tests/fixtures/legacy-app'

describe('the part that answers requests', () => {
  test('is the entry file, the front script, or nothing', () => {
    const ofApp = parseConfig('', 'c.yml')
    const ofFront = parseConfig('front: public/index.php', 'c.yml')
    assert.deepEqual(entryOf(checkout('examples/minimal-app'), ofApp), { app: 'bench/app.php', front: '' })
    assert.deepEqual(entryOf(checkout(LEGACY), ofApp), { app: '', front: '' })
    assert.deepEqual(entryOf(checkout(LEGACY), ofFront), { app: '', front: 'public/index.php' })
  })
  test('is never ambiguous', () => {
    const of = (directory: string, front: string) => () => entryOf(checkout(directory), parseConfig(`front: ${front}`, 'c.yml'))
    assert.throws(
      of(LEGACY, 'web/index.php'),
      /^InputError: front: head \(abc\) has no web\/index\.php\. Allowed: a PHP script of the repository$/,
    )
    assert.throws(
      of('examples/minimal-app', 'bin/setup.php'),
      /front: head \(abc\) has both bin\/setup\.php and the entry file bench\/app\.php/,
    )
  })
})

describe('a front script', () => {
  test('is refused if requests share a process', () => {
    const modes = (yaml: string) => modesOf(parseConfig(`modes: ${yaml}`, 'c.yml'))
    refuseFront('public/index.php', modes('[fpm, swoole-sync, { name: own, kind: async, command: x }]'))
    refuseFront(null, modes('[fpm, swoole]'))
    for (const mode of ['swoole', 'fibers']) {
      assert.throws(
        () => refuseFront('public/index.php', modes(`[fpm, ${mode}]`)),
        new RegExp(
          `modes: ${mode} serves several requests at a time .*would read each other's data\\. Allowed with front: apache, .*fpm, .*mod_php, .*swoole-sync, or a mode`,
        ),
      )
    }
  })

  test("is refused with the runtime's reason", () => {
    const modes = modesOf(parseConfig('modes: [fpm, php-builtin]', 'c.yml'))
    assert.throws(() => refuseFront('public/index.php', modes), /modes: php -S names every path .* Allowed with front: apache, .*fpm, /)
  })

  test('is named to PHP by nginx, except for the built-in paths', () => {
    const runtime = join(PACKAGE, 'runtimes', 'fpm')
    const template = readFileSync(join(runtime, 'nginx.conf'), 'utf8')
    const conf = (front: string) =>
      fill(template, { dir: '/d', runtime, address: 'a', port: '1', cpus: '1', 'nginx-user': '', ...scriptValues(runtime, front) })
    const parameter = (text: string, name: string) => new RegExp(`${name} (.*);`).exec(text)?.[1]
    assert.match(conf('/p/web/app.php'), /~\^\/_bench\/ ".*runtimes\/fpm\/front\.php";\n +default "\/p\/web\/app\.php";/)
    assert.deepEqual(
      ['SCRIPT_NAME', 'DOCUMENT_ROOT'].map((name) => parameter(conf('/p/web/app.php'), name)),
      ['/app.php', '"/p/web"'],
    )
    assert.match(conf(''), /default ".*runtimes\/fpm\/front\.php";/)
    assert.equal(parameter(conf(''), 'SCRIPT_NAME'), '/index.php')
  })

  test('disables the functions that would lose headers, besides the configured ones', () => {
    assert.equal(frontFunctions(parseConfig('', 'c.yml')), '')
    const option = frontFunctions(parseConfig('front: a.php\nphp: { ini: { disable_functions: "exec,mail" } }', 'c.yml'))
    assert.match(option, /^-ddisable_functions=exec,mail,header,/)
    const declared = readFileSync(join(PACKAGE, 'php', 'functions.php'), 'utf8').match(/^function /gm)
    assert.equal(option.split(',').length, 2 + (declared?.length ?? 0))
    for (const name of ['setcookie', 'register_shutdown_function']) assert.ok(option.split(',').includes(name), name)
  })
})
