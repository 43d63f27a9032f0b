/** Packages that this tool installs itself: pinned by their content, and installed without the secrets of the job. */
import assert from 'node:assert/strict'
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PACKAGE } from '../../../config/catalog.ts'
import { inherited } from '../../../system/environment.ts'
import { exec } from '../../../system/exec.ts'
import { temporary } from '../harness.ts'

test('another package from a registry is refused, and Composer knew no secret', async () => {
  const home = temporary()
  // A release, before anything is installed.
  for (const folder of ['dist', 'php/src', 'runtimes', 'workloads'])
    cpSync(join(PACKAGE, folder), join(home, folder), { recursive: true, filter: (source) => !/\/vendor$/.test(source) })
  const bin = join(home, 'bin')
  const seen = join(home, 'seen')
  mkdirSync(bin)
  writeFileSync(
    join(bin, 'composer'),
    `#!/bin/sh
[ "$1" = --version ] && { echo 'Composer version 2.5.5'; exit 0; }
{ echo "$@"; pwd; env; } >> ${seen}
mkdir -p vendor/revolt/event-loop/src
echo '<?php // another' > vendor/revolt/event-loop/src/EventLoop.php
`,
  )
  chmodSync(join(bin, 'composer'), 0o755)
  const workspace = temporary()
  writeFileSync(join(workspace, 'composer.json'), '{ "scripts": { "pre-update-cmd": "touch pwned" } }')
  const done = await exec(
    [process.execPath, join(home, 'dist', 'cli.js'), 'provision', '--workspace', workspace, '--modes', 'fpm,fibers', '--yes'],
    {
      cwd: workspace,
      env: {
        ...inherited(/^HOME$/),
        PATH: `${bin}:${process.env.PATH}`,
        GITHUB_TOKEN: 'tokenOfTheJob',
        ACTIONS_RUNTIME_TOKEN: 'runtimeTokenOfTheJob',
        'INPUT_GITHUB-TOKEN': 'inputOfTheJob',
        COMPOSER_AUTH: '{}',
      },
      timeoutMs: 120_000,
    },
  )
  const output = done.stdout + done.stderr
  assert.notEqual(done.code, 0, output)
  assert.match(output, /vendor\/revolt\/event-loop\/src\/EventLoop\.php is not the file that packages\.sha256 lists/)
  const asked = readFileSync(seen, 'utf8')
  assert.match(asked, /--no-scripts/)
  assert.match(asked, /--no-plugins/)
  assert.match(asked, /runtimes\/fibers/)
  assert.doesNotMatch(asked, /OfTheJob|COMPOSER_AUTH/)
  assert.ok(!asked.includes(`\n${workspace}\n`), 'it does not run in the workspace')
})
