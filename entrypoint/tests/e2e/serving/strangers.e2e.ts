/** A stranger's pull request: names, texts and answers that would be commands, markup or mentions elsewhere. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { cli, commit, git, repository } from '../harness.ts'
import { runStep } from '../runner.ts'

describe('what strangers write', () => {
  const nasty = [
    '; touch /tmp/apb-pwned',
    '$(touch /tmp/apb-pwned)',
    '`touch /tmp/apb-pwned`',
    '| touch /tmp/apb-pwned',
    '<script>alert(1)</script>',
    '@everyone',
  ]

  test('reaches no shell, no command of the runner, and no markup', async () => {
    const payload = `${nasty.join(' ')} ::set-output name=verdict::pass`
    // In a header, a body, the name of a branch, a file name, the answer of the app and its error message.
    const workspace = await repository({
      base: {
        '.github/async-php-bench.yml': JSON.stringify({
          modes: ['fpm', 'fibers'],
          workloads: [
            {
              name: 'home',
              path: '/',
              method: 'POST',
              headers: { 'X-Odd': payload },
              body: payload,
              expect: { contains: 'nothing like it' },
            },
          ],
          loads: { low: { concurrency: 2 } },
          profile: 'quick',
          blocks: 1,
          database: 'none',
          baseline: 'HEAD^1',
        }),
        [`config/${nasty.join(' ').replaceAll('/', '')}.php`]: '<?php',
        'bench/app.php': `<?php
require_once __DIR__ . '/../vendor/autoload.php';
return static fn (array $context) => static function (Psr\\Http\\Message\\ServerRequestInterface $request): Psr\\Http\\Message\\ResponseInterface {
    error_log("\n::set-output name=verdict::pass\n##[command]x");
    return new Nyholm\\Psr7\\Response(200, [], $request->getBody() . ' ' . $request->getHeaderLine('X-Odd') . "\n::add-mask::a");
};
`,
      },
    })
    await git(workspace, 'checkout', '--quiet', '-b', 'x;touch${IFS}/tmp/apb-pwned')
    const done = await runStep({ file: 'gate-action', workspace })
    assert.equal(done.code, 1)
    assert.match(done.log, /expected a body with "nothing like it", got/)
    assert.ok(!existsSync('/tmp/apb-pwned'))
    const commands = done.log.split('\n').filter((line) => /^\s*::|##\[/.test(line))
    assert.deepEqual(
      commands.filter((line) => !/^::error/.test(line)),
      [],
    )
    assert.match(done.outputs, /verdict<<\S+\ninvalid\n/)
    // Quoted text is in a code block that it cannot close.
    assert.doesNotMatch(done.summary.replace(/~~~text[\s\S]*?~~~/g, ''), /<script>|@everyone/)
  })

  test('is no command, even with characters that the runner skips', async () => {
    // .NET treats them as white space, or ignores them.
    const unseen = ['\u0085', '\u00a0', '\u200b', '\ufeff', '\u2028', '\u000b', '\u001b[1m', '\u00ad', '\u0301']
    const lines = unseen.flatMap((c) => [`${c}::error::x`, `:${c}:add-mask::x`, `a\r${c}::error::x`, `#${c}#[error]x`])
    const workspace = await repository({
      base: {
        'bench.yml': 'modes: [fpm, fibers]\ndatabase: none\nsetup: [cat shout.txt; exit 1]\n',
        'shout.txt': `${lines.slice(-18).join('\n')}\n`,
        'shout-more.txt': `${lines.slice(0, 18).join('\n')}\n`,
      },
      head: {},
    })
    for (const file of ['shout.txt', 'shout-more.txt']) {
      await commit(workspace, { 'bench.yml': `modes: [fpm, fibers]\ndatabase: none\nsetup: [cat ${file}; exit 1]\n` }, file)
      const { code, output } = await cli(['run', '--workspace', workspace, '--config', 'bench.yml', '--out', join(workspace, 'out')])
      assert.notEqual(code, 0)
      assert.match(output, /setup of head: `cat shout[\s\S]*error/)
      const ignored = String.raw`[\p{Cc}\p{Cf}\p{M}]*`
      const command = new RegExp(String.raw`^[\s\p{C}\p{Z}\p{M}]*:${ignored}:|#${ignored}#${ignored}\[`, 'u')
      assert.ok(lines.filter((line) => line.split('\r').some((part) => command.test(part))).length > 20, 'as they stand they are')
      assert.deepEqual(
        output.split(/\r\n|\r|\n/).filter((line) => command.test(line)),
        [],
      )
    }
  })
})
