/** Front scripts that can become bench/app.php, and those that cannot, with the reason. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fromFront } from '../../../../commands/init/from-front.ts'
import { bare } from '../../../../system/environment.ts'
import { exec } from '../../../../system/exec.ts'
import { temporary } from '../../../e2e/harness.ts'

const AUTOLOAD = "require __DIR__ . '/../vendor/autoload.php';"
const HEAD =
  "<?php\n\nrequire_once __DIR__ . '/../vendor/autoload.php';\n\n// The app of public/index.php, without the line that runs it. Keep both alike.\n"

/** What the written factory creates, beside files of the app. */
async function created(text: string, files: Record<string, string>): Promise<string> {
  const directory = mkdtempSync(join(temporary(), 'front-'))
  for (const [name, php] of Object.entries({ 'bench/app.php': text, 'vendor/autoload.php': '<?php', ...files })) {
    mkdirSync(join(directory, name, '..'), { recursive: true })
    writeFileSync(join(directory, name), php)
  }
  const twice = '$make = require "bench/app.php"; $make([]); echo json_encode($make([]));'
  const done = await exec(['php', '-r', twice], { cwd: directory, env: bare() })
  assert.equal(done.code, 0, done.stdout + done.stderr)
  return done.stdout
}

const made = (front: string): string => {
  const found = fromFront(front)
  assert.ok('text' in found, JSON.stringify(found))
  return found.text
}

describe('a front script that runs an app', () => {
  test('becomes a factory of one expression', () => {
    const front = `<?php\nuse App\\AppBuilder;\n${AUTOLOAD}\n(new AppBuilder())->build()->run();\n`
    const [start, note] = HEAD.split('require_once') as [string, string]
    assert.equal(
      made(front),
      `${start}use App\\AppBuilder;\n\nrequire_once${note}return static fn (array $context): object => (new AppBuilder())->build();\n`,
    )
  })
  test('becomes a factory that can be called again, with paths that lead to the same files', async () => {
    const front = [
      '<?php',
      'declare(strict_types=1);',
      "require dirname(__DIR__) . '/vendor/autoload.php';",
      '// What the app is made of; the exit of the script comes later.',
      "$app = (require __DIR__ . '/../config/app.php')();",
      "$app->local = require __DIR__ . '/local.php';",
      "$app->route = function ($request) { return 'routed'; };",
      '',
      '// Run it',
      '$app',
      '    ->run();',
    ].join('\n')
    const files = { 'config/app.php': '<?php return fn () => (object) ["of" => "config"];', 'public/local.php': '<?php return "public";' }
    assert.equal(await created(made(front), files), '{"of":"config","local":"public","route":{}}')
    assert.doesNotMatch(made(front), /Run it/)
    assert.match(made(front), /^<\?php\n\ndeclare\(strict_types=1\);\n/)
  })
  for (const [line, why] of [
    ["$uri = $_SERVER['REQUEST_URI'];", 'line 3 reads the request'],
    ['session_start();', 'line 3 sends output or headers'],
    ['if ($off) { exit; }', 'line 3 ends the process'],
    ['global $db;', 'line 3 uses global variables'],
    ['function helper() {}', 'line 3 declares a function or class'],
    ["define('ROOT', 1);", 'line 3 defines a constant'],
    ["require_once __DIR__ . '/../src/helpers.php';", 'line 3 loads a file once'],
    ["require '../src/helpers.php';", 'line 3 loads a file relative to the working directory'],
    ['// exit()', undefined],
    ["$app->get('/print', Page::class); # echo", undefined],
    ["$app->get('/', function () { return 1; });", undefined],
  ] as const) {
    test(`${why ? 'cannot become a factory' : 'may have the line'}: ${line}`, () => {
      const found = fromFront(`<?php\n${AUTOLOAD}\n${line}\n$app->boot();\n$app->run();\n`)
      if (why) assert.deepEqual(found, { why })
      else assert.ok('text' in found && found.text.includes(line))
    })
  }
  test('cannot become a factory if it ends otherwise', () => {
    const end = { why: 'it does not end with the run() of the app' }
    assert.deepEqual(fromFront(`<?php\n${AUTOLOAD}\n$kernel->handle();\n`), end)
    assert.deepEqual(fromFront('<?php'), { why: 'it does not begin with <?php' })
  })
})
