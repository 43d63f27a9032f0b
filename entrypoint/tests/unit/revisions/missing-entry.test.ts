/** A misspelt `app` or `front` is refused with its line and the nearest file. A pull request cannot choose its end by it. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { readInputs } from '../../../config/inputs.ts'
import { NO_EVENT } from '../../../revisions/event.ts'
import { type Known, knownComparison } from '../../../revisions/known.ts'
import { settle } from '../../../revisions/settle.ts'
import { Patience } from '../../../system/machine.ts'
import { commit, git } from '../../e2e/harness.ts'
import { BASE, changed, FILE, settled } from './judged.ts'

const root = mkdtempSync(join(tmpdir(), 'missing-'))
after(() => rmSync(root, { recursive: true, force: true }))

const SCRIPT = 'public/index.php'
const config = (entry: string): string => `modes: [fpm, swoole-sync]\n${entry}\n${/^workloads/.test(entry) ? '' : 'workloads: [/]\n'}`

/** Base has the first configuration, head the second one. */
async function repository(base: string, head: string, files: Record<string, string> = { [SCRIPT]: '<?php' }): Promise<string> {
  const directory = mkdtempSync(join(root, 'repo-'))
  await git(directory, 'init', '--quiet')
  await commit(directory, { ...files, [FILE]: config(base) }, 'base')
  await commit(directory, { [FILE]: config(head), 'src/a.php': '<?php' }, 'head')
  return directory
}

const inputs = (workspace: string) => readInputs({ get: () => undefined }, { workspace, out: root })
const known = (workspace: string): Promise<Known> => knownComparison(inputs(workspace))

const FAULT = (key: string, found: string, hint: string): RegExp =>
  new RegExp(
    `^\\.github/async-php-bench\\.yml:2: ${key}: found ${found}, which the commit [0-9a-f]{10} does not have${hint} Allowed: a PHP script of the repository$`,
  )
const isInput = (message: RegExp) => ({ name: 'InputError', message })

describe('a key that names a file that head does not have', () => {
  test('is refused with its line and the nearest file, in `plan --dry` and in a run', async () => {
    const directory = await repository('front: public/index.php', 'front: publik/index.php')
    const refused = isInput(FAULT('front', 'publik/index\\.php', '; did you mean "public/index\\.php"\\?'))
    await assert.rejects(known(directory), refused)
    const job = {
      directory: mkdtempSync(join(root, 'trees-')),
      signal: new AbortController().signal,
      say: () => {},
      patience: new Patience(),
      atEnd: () => {},
    }
    await assert.rejects(settle(inputs(directory), NO_EVENT, job), refused)
  })
  test('is found in another folder, by its name', async () => {
    const directory = await repository('front: index.php', 'front: index.php')
    await assert.rejects(known(directory), isInput(FAULT('front', 'index\\.php', '; did you mean "public/index\\.php"\\?')))
  })
  test('may be app, too, even without a similar file and with committed packages', async () => {
    const files = { 'bench/app.php': '<?php', 'vendor/bench/handler.php': '<?php' }
    const directory = await repository('app: bench/app.php', 'app: bench/handler.php', files)
    await assert.rejects(known(directory), isInput(FAULT('app', 'bench/handler\\.php', '\\.')))
  })
  test('is accepted by default, because the built-in workloads need no app', async () => {
    const directory = await repository('workloads: [fibonacci]', 'workloads: [fibonacci, invoice]', { 'composer.json': '{}' })
    assert.equal((await known(directory)).base?.label, 'HEAD^1')
  })
  test("makes a pull request's measurement invalid if base has the file", async () => {
    const broken = settled({ head: changed('app: bench/ap.php') })
    await assert.rejects(broken, {
      name: 'MeasurementError',
      message: /^\.github\/async-php-bench\.yml:\d: app: found bench\/ap\.php, which .*did you mean "bench\/app\.php"\?/,
    })
  })
  test('is wrong input in a pull request if base lacks the file, too', async () => {
    const never = settled({ base: changed('app: bench/old.php'), head: changed('app: bench/ap.php') })
    await assert.rejects(never, { name: 'InputError' })
  })
  test('is accepted in a pull request that changes something else', async () => {
    assert.equal((await settled({ head: BASE, files: { 'src.php': '1' } })).revisions.base?.label, 'HEAD^1')
  })
})
