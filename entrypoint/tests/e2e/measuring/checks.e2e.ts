/** Checks at level fail, by the command line: a break of head, one that base has, too, and none. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { PACKAGE } from '../../../config/catalog.ts'
import { cli, type Files, hasExtension, leftovers, repository } from '../harness.ts'

const swoole = (await hasExtension('swoole')) ? false : 'php -m has no swoole'

const FIXTURE = join(PACKAGE, 'entrypoint', 'tests', 'fixtures', 'checks-app')
const app: Files = Object.fromEntries(
  readdirSync(FIXTURE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [join(parentPath, name).slice(FIXTURE.length + 1), readFileSync(join(parentPath, name), 'utf8')]),
)
/** A request without a name counts as the last one. Every request of preflight has a name. */
const careless = (app['src/States.php'] as string).replace(
  /clean\(ServerRequestInterface \$request\): string\s*\{/,
  '$&\n        return self::singleton($request);\n',
)

const ME = '{ name: me, path: /state/clean, headers: { Authorization: "Bearer {id}" } }'
const LEAK = '{ name: small, path: /leak/small }'

async function run(
  mode: string,
  workloads: string,
  more: string,
  head: Files,
): Promise<{ code: number; output: string; read: (name: string) => string }> {
  const config = `modes: [fpm, ${mode}]\nworkloads: ${workloads}\nloads: { some: { concurrency: 4 } }\nprofile: quick\nbudget: 10m\ndatabase: none\ninstructions: off\n${more}`
  const directory = await repository({ base: { ...app, 'bench.yml': config }, head })
  const out = join(directory, 'out')
  const { code, output } = await cli(['run', '--workspace', directory, '--config', 'bench.yml', '--out', out], { timeoutMs: 590_000 })
  return { code, output, read: (name) => readFileSync(join(out, name), 'utf8') }
}

for (const mode of ['fibers', 'swoole'])
  describe(mode, { skip: mode === 'swoole' && swoole }, () => {
    test('state that only head leaves behind has regressed; a leak that base has, too, is a warning', async () => {
      const { code, output, read } = await run(mode, `[${ME}, ${LEAK}]`, 'blocks: 1\nchecks: { leak: fail, state: fail }\n', {
        'src/States.php': careless,
      })
      assert.equal(code, 1, output)
      const { verdict, reasons, timing_verdict: ofRuns } = JSON.parse(read('analysis.json'))
      assert.deepEqual([verdict, ofRuns === 'regressed'], ['regressed', false], output)
      assert.equal(reasons.length, 1)
      assert.match(
        reasons[0],
        new RegExp(`^The check \`state\` is broken in \`${mode}\` on \`GET /state/clean\`: .* as nobody differently from a fresh process`),
      )
      const summary = read('summary.md')
      assert.match(summary, new RegExp(`^## \\S+ Regressed: requests leave state behind in \`${mode}\`\n`))
      assert.match(summary, /~~~text\nfresh process: denied\nthis worker: {3}hello user \d\n {15}\^[\^ ]*\n~~~/)
      assert.match(summary, /\|`leak` [^\n]*`GET \/leak\/small` +\|⚠️ broken +\|⚠️ broken +\|memory grows by/)
      assert.match(summary, /\|`answers` [^\n]*held/)
      const { seconds, allowed_s: allowed } = JSON.parse(read('checks.json'))
      assert.equal(allowed, 120)
      assert.ok(seconds < 1.15 * allowed, `${seconds} s`)
      assert.match(output, /checks: \d+ s of at most 120 s, a fifth of the budget/)
      assert.match(read('report.html'), /Ready for production/)
      assert.deepEqual(await leftovers(), [])
    })

    test('an app that keeps all of them is ready, and its verdict is that of the runs', async () => {
      const { code, output, read } = await run(
        mode,
        `[${ME}]`,
        'blocks: 1\nchecks: { leak: fail, state: fail, blocking: fail, cold-start: fail }\n',
        {},
      )
      assert.equal(code, 0, output)
      assert.match(
        read('summary.md'),
        /<summary>Ready for production: 5 held, 1 not checked<\/summary>|<summary>Ready for production: 6 held, 0 not checked<\/summary>/,
      )
      assert.equal(JSON.parse(read('analysis.json')).verdict, 'not-gated')
    })
  })
