/** Files that `init` writes are as safe as our own workflows: the same rules, the same linters. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { PACKAGE } from '../../../config/catalog.ts'
import { inherited } from '../../../system/environment.ts'
import { exec } from '../../../system/exec.ts'
import { WORKFLOW_RULES, type Workflow } from '../../workflow-rules.ts'
import { cli, type Files, temporary } from '../harness.ts'

const composer = (require: object): string => JSON.stringify({ require, autoload: { 'psr-4': { 'App\\': 'src/' } } })
const apps: Record<string, Files> = {
  'without Composer': { 'public/index.php': '<?php echo "hello";\n' },
  'with Laravel': {
    'composer.json': composer({ php: '^8.2', 'laravel/framework': '^12.0', 'ext-redis': '*', 'ext-$(id)': '*' }),
    'bootstrap/app.php': '<?php\n',
    artisan: '#!/usr/bin/env php\n',
    '.env': 'APP_KEY=base64:c2VjcmV0LW9mLXRoZS1hcHA=\n',
  },
  'with a Dockerfile': {
    Dockerfile: 'FROM php:8.4-cli\nWORKDIR /app\n',
    'composer.json': composer({ php: '>=8.1', 'slim/slim': '^4' }),
    'src/App.php': '<?php\n',
  },
}

async function lint(file: string): Promise<{ code: number; stderr: string }> {
  return exec([process.execPath, 'scripts/lint-workflows.mjs', file], { cwd: PACKAGE, env: inherited(/./), timeoutMs: 60_000 })
}

describe('what init writes', () => {
  for (const [name, files] of Object.entries(apps)) {
    test(`for an app ${name} keeps the rules of our own workflows`, async () => {
      const directory = join(temporary(), 'app')
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(directory, file)), { recursive: true })
        writeFileSync(join(directory, file), text)
      }
      const { code, output } = await cli(['init', '--workspace', directory])
      assert.equal(code, 0, output)
      const folder = join(directory, '.github', 'workflows')
      assert.deepEqual(readdirSync(folder), ['async-php-bench.yml'])
      const file = join(folder, 'async-php-bench.yml')
      const text = readFileSync(file, 'utf8')
      for (const check of Object.values(WORKFLOW_RULES)) check(text)
      const { permissions, jobs, env } = parse(text) as Workflow
      assert.deepEqual(permissions, { contents: 'read', 'pull-requests': 'write' })
      assert.deepEqual([Object.keys(jobs), env], [['gate'], undefined])
      // The app runs in this job, so it has no secrets.
      assert.doesNotMatch(text, /secrets\.|GITHUB_TOKEN|docker login|registry|\$\(/)
      const config = readFileSync(join(directory, '.github', 'async-php-bench.yml'), 'utf8')
      assert.doesNotMatch(config + text, /c2VjcmV0LW9m/)
      const linted = await lint(file)
      assert.equal(linted.code, 0, linted.stderr)
    })
  }

  test('the linters check the given files', async () => {
    const { stderr: none, code } = await lint(
      join(PACKAGE, 'examples', 'workflows', readdirSync(join(PACKAGE, 'examples', 'workflows'))[0] as string),
    )
    assert.equal(code, 0, none)
    const loose = join(temporary(), 'loose.yml')
    writeFileSync(
      loose,
      'on: pull_request\npermissions: write-all\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: echo ${{ github.event.pull_request.title }}\n',
    )
    const found = await lint(loose)
    assert.equal(found.code, 1, found.stderr)
    assert.match(found.stderr, /loose\.yml:7: .*(commit|SHA|pin)/i)
  })
})
