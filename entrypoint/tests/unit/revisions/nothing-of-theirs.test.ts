/** A repository without a configuration and without an app is refused: a run would measure only our own workloads. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { type Inputs, readInputs } from '../../../config/inputs.ts'
import { NO_EVENT } from '../../../revisions/event.ts'
import { knownComparison } from '../../../revisions/known.ts'
import { NO_ENTRY, nothingOfTheirs } from '../../../revisions/nothing-of-theirs.ts'
import { settle } from '../../../revisions/settle.ts'
import { Patience } from '../../../system/machine.ts'
import { pullRequest, type Tree } from '../../pull-request.ts'
import { payloadOf } from './judged.ts'

const root = mkdtempSync(join(tmpdir(), 'nothing-'))
after(() => rmSync(root, { recursive: true, force: true }))

const CONFIG = '.github/async-php-bench.yml'
const NOTHING = {
  name: 'InputError',
  message:
    /^This repository has nothing of its own to measure: no configuration \(\.github\/async-php-bench\.yml\) and no app \(bench\/app\.php\)\. `init` writes both\. `demo` measures an example app\. .*`--workloads fibonacci,invoice`\.$/,
}

/** Settles as `run` does, knows as `plan --dry` does, and settles as the Action does on a pull request. */
async function looks(base: Tree, head: Tree, given: Record<string, string> = {}) {
  const workspace = mkdtempSync(join(root, 'repo-'))
  const commits = await pullRequest(workspace, base, head)
  const inputs: Inputs = readInputs({ get: (key) => given[key] }, { workspace, out: root })
  const said: string[] = []
  const { signal } = new AbortController()
  const job = () => ({
    directory: mkdtempSync(join(root, 'trees-')),
    signal,
    say: (line: string) => said.push(line),
    patience: new Patience(),
    atEnd: () => {},
  })
  const event = { ...NO_EVENT, name: 'pull_request', sha: commits.merge, payload: payloadOf(commits.base, commits.head) }
  return {
    run: () => settle(inputs, NO_EVENT, job()),
    dry: () => knownComparison(inputs),
    action: () => settle(inputs, event, job()),
    inputs,
    said,
  }
}

const README: Tree = { 'README.md': 'mine' }

describe('a repository without a configuration and without an app', () => {
  test('is refused by a run, a dry plan and the Action', async () => {
    const { run, dry, action } = await looks(README, { 'README.md': 'changed' })
    for (const look of [run, dry, action]) await assert.rejects(look(), NOTHING)
  })
  test('is refused without a base, too', async () => {
    const { run, dry } = await looks(README, README, { baseline: 'none' })
    for (const look of [run, dry]) await assert.rejects(look(), NOTHING)
  })
  test('is measured if an option names workloads of ours, and says that there is no app', async () => {
    const { run, dry, said } = await looks(README, { 'README.md': 'changed' }, { workloads: 'fibonacci' })
    await run()
    assert.ok(said.includes(NO_ENTRY))
    assert.deepEqual((await dry()).entry, { path: 'bench/app.php', isThere: false })
  })
  test('is compared in a study', async () => {
    const { inputs } = await looks(README, README)
    assert.match(nothingOfTheirs(inputs, 'bench/app.php', false) ?? '', NOTHING.message)
    assert.equal(nothingOfTheirs({ ...inputs, study: true }, 'bench/app.php', false), undefined)
  })
})

describe('a repository with something of its own', () => {
  for (const [what, files] of [
    ['a configuration', { [CONFIG]: 'workloads: [fibonacci]\n' }],
    ['an app', { 'bench/app.php': '<?php' }],
  ] as [string, Tree][]) {
    test(`is measured: ${what}`, async () => {
      const { run, dry, action } = await looks({ ...README, ...files }, { ...files, 'README.md': 'changed' })
      for (const look of [run, dry, action]) await look()
    })
    test(`is not said to have nothing if head lost ${what}`, async () => {
      const { run, action } = await looks({ ...README, ...files }, README)
      for (const look of [run, action]) {
        const failed = await look().then(
          () => undefined,
          (error: Error) => error,
        )
        assert.doesNotMatch(failed?.message ?? '', /nothing of its own/)
      }
    })
  }
})

describe('a path that no app answers', () => {
  const config = (text: string): Tree => ({ ...README, [CONFIG]: text })
  test('is refused with its line', async () => {
    const files = config('modes: [fpm, fibers]\nworkloads:\n  - fibonacci\n  - /users\n')
    const { run, dry } = await looks(README, files)
    for (const look of [run, dry])
      await assert.rejects(look(), {
        name: 'InputError',
        message:
          /^\.github\/async-php-bench\.yml:4: workloads\.\S+: found \/users, and the commit [0-9a-f]{10} has no bench\/app\.php to answer it/,
      })
  })
  test('is allowed if every mode has its own server', async () => {
    const modes = 'modes: [{ name: a, kind: sync, command: a }, { name: b, kind: async, command: b }]\nworkloads: [/users]\n'
    const { dry } = await looks(README, config(modes))
    await dry()
  })
})
