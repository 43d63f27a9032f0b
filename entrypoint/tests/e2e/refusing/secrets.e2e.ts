/** A hostile pull request, with files that our programs might read and an app that searches the machine. It finds no secret of the job. */
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { before, describe, test } from 'node:test'
import { commit, git, temporary } from '../harness.ts'
import { runStep, type StepResult } from '../runner.ts'

const SECRETS = { token: 'ghs_tokenOfTheJob', runtime: 'runtimeTokenOfTheJob', deploy: 'keyOfAnotherStep' }
const IN_BASE64 = Buffer.from(`x-access-token:${SECRETS.token}`).toString('base64')

/** The folder in which every hostile program writes its findings, one file each. */
const seen = temporary()
const dump = (name: string): string => `env >> ${seen}/${name}`

/** The environment of this process and of each that started it, as the kernel shows them. */
const LOOK_AROUND = `<?php
$look = function (string $name): void {
    $text = json_encode([getenv(), $_ENV, $_SERVER]);
    for ($pid = getmypid(); $pid > 1; $pid = (int) explode(' ', preg_replace('/.*\\) /', '', @file_get_contents("/proc/$pid/stat") ?: '0 0'))[1]) {
        $text .= @file_get_contents("/proc/$pid/environ") . @file_get_contents("/proc/$pid/cmdline");
    }
    file_put_contents('${seen}/' . $name, $text, FILE_APPEND);
};
// Only a server gets a nonce.
if (getenv('APB_NONCE')) {
    $look('app-' . PHP_SAPI);
    // The second server ends the job before anything is measured.
    PHP_SAPI === 'cli' && throw new RuntimeException('seen enough');
}
`

/** Files that programs read in their working directory. */
const TRAPS: Record<string, string> = {
  '.Rprofile': `writeLines(paste(names(Sys.getenv()), Sys.getenv()), "${seen}/trap-Rprofile")\n`,
  '.Renviron': 'R_PROFILE_USER=elsewhere.R\n',
  'elsewhere.R': `writeLines(paste(names(Sys.getenv()), Sys.getenv()), "${seen}/trap-Renviron")\nsource(".Rprofile")\n`,
  'php.ini': 'auto_prepend_file = prepended.php\n',
  '.user.ini': 'auto_prepend_file = prepended.php\n',
  'prepended.php': `<?php file_put_contents('${seen}/trap-prepended', json_encode(getenv()));\n`,
  // A directory of the repository on the job's PATH.
  'tools/pandoc': `#!/bin/sh\n${dump('trap-path')}\nexec /usr/bin/pandoc "$@"\n`,
}

const CONFIG =
  'modes: [fpm, fibers]\nworkloads: [fibonacci]\nloads: { low: { concurrency: 2 } }\nprofile: quick\ndatabase: none\nsetup: [php setup.php]\n'

const APP: Record<string, string> = {
  'composer.json': JSON.stringify({
    config: { lock: false },
    autoload: { files: ['around.php'] },
    scripts: { 'post-update-cmd': dump('composer') },
  }),
  'around.php': LOOK_AROUND,
  'setup.php': `<?php require 'around.php'; $look('setup');\n`,
  // git finds the filter only in .git/config, which an earlier step of the job may have written.
  '.gitattributes': '*.txt filter=earlier\n',
  'a.txt': 'a\n',
  '.github/async-php-bench.yml': CONFIG,
}

/** Programs with our names on the app's PATH, and files that other programs read if a variable names them. */
const LURES: Record<string, string> = {
  ...Object.fromEntries(
    ['Rscript', 'pandoc', 'hey', 'setpriv', 'docker'].map((name) => [`lures/${name}`, `#!/bin/sh\n${dump(`lure-${name}`)}\nexit 1\n`]),
  ),
  'lures/php.ini': 'auto_prepend_file = lures/lured.php\n',
  'lures/lured.php': `<?php file_put_contents('${seen}/lured-' . PHP_SAPI, getcwd() . "\\n", FILE_APPEND);\n`,
  'lures/lured.js': `require('node:fs').writeFileSync('${seen}/lure-node', '')\n`,
  'lures/gitconfig': `[core]\n\tfsmonitor = "${dump('lure-gitconfig')}; false"\n`,
}

async function hostileWorkspace(): Promise<string> {
  const workspace = temporary()
  await git(workspace, 'init', '--quiet')
  await commit(workspace, { ...APP, ...TRAPS, ...LURES }, 'base')
  for (const name of Object.keys(LURES)) chmodSync(join(workspace, name), 0o755)
  const lures = join(workspace, 'lures')
  const variables = {
    PATH: `${lures}:${process.env.PATH}`,
    ...{
      PHPRC: lures,
      NODE_OPTIONS: `--require=${lures}/lured.js`,
      GIT_CONFIG_GLOBAL: `${lures}/gitconfig`,
      R_PROFILE_USER: 'elsewhere.R',
    },
    ...{
      APB_PREFLIGHT: '0',
      APB_WORKLOADS: '{}',
      APB_APP: '/dev/null',
      GITHUB_ENV: '/dev/null',
      DOCKER_HOST: 'tcp://127.0.0.1:1',
    },
  }
  await commit(workspace, { 'a.txt': 'b\n', '.github/async-php-bench.yml': `${CONFIG}env: ${JSON.stringify(variables)}\n` }, 'head')
  const program = (name: string, text: string): string => {
    const file = join(workspace, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `#!/bin/sh\n${text}\n`)
    chmodSync(file, 0o755)
    return file
  }
  chmodSync(join(workspace, 'tools/pandoc'), 0o755)
  program('.git/hooks/post-checkout', dump('trap-hook'))
  program('.git/hooks/reference-transaction', dump('trap-hook'))
  await git(workspace, 'config', 'core.fsmonitor', program('.git/monitor', `${dump('trap-fsmonitor')}; exit 1`))
  await git(workspace, 'config', 'filter.earlier.smudge', program('.git/filter', `${dump('filter')}; cat`))
  // The first command that would ask a remote of this job's server. It must not run with the token.
  await git(workspace, 'remote', 'add', 'origin', 'https://github.localhost/bot/app')
  return workspace
}

describe('a hostile pull request', () => {
  let done: StepResult
  const read = (name: string): string => readFileSync(join(seen, name), 'utf8')
  before(async () => {
    const workspace = await hostileWorkspace()
    done = await runStep({
      file: 'gate-action',
      workspace,
      inputs: { 'github-token': SECRETS.token },
      env: { PATH: `tools:${process.env.PATH}`, ACTIONS_RUNTIME_TOKEN: SECRETS.runtime, DEPLOY_KEY: SECRETS.deploy },
    })
  })

  test('is served in both modes, until its second server ends', () => {
    assert.match(done.log, /fibers of base did not start:[\s\S]*seen enough/)
    assert.equal(done.code, 1)
    assert.deepEqual(
      ['app-cli', 'app-fpm-fcgi', 'composer', 'filter', 'setup'].filter((name) => !readdirSync(seen).includes(name)),
      [],
      done.log,
    )
  })
  test('cannot make a program of the job read its files', () => {
    assert.deepEqual(
      readdirSync(seen).filter((name) => name.startsWith('trap-')),
      [],
    )
  })
  test('affects only its own head by `env:`', () => {
    assert.deepEqual(
      readdirSync(seen).filter((name) => name.startsWith('lure-')),
      [],
    )
    const heard = readdirSync(seen).filter((name) => name.startsWith('lured-'))
    assert.ok(heard.length > 0, 'its own PHP reads the php.ini of its PHPRC')
    for (const directory of heard.flatMap((name) => read(name).trim().split('\n'))) assert.match(directory, /\/head$/)
  })
  for (const [what, secret] of Object.entries({ ...SECRETS, 'token, as git sends it': IN_BASE64 })) {
    test(`cannot find the ${what} anywhere`, () => {
      for (const name of readdirSync(seen)) assert.ok(!read(name).includes(secret), `${name} holds it`)
    })
  }
})
