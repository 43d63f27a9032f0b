/** The files that `init` writes for each framework: a usable configuration, and valid PHP. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { modesOf, refuseFront, refuseWrongOrder } from '../../../../config/modes.ts'
import { parseConfig } from '../../../../config/parse.ts'
import { workloadsOf } from '../../../../config/workloads.ts'
import { bare } from '../../../../system/environment.ts'
import { exec } from '../../../../system/exec.ts'
import { CASES } from './cases.ts'
import { init, repository } from './repositories.ts'

describe('init', () => {
  for (const { app, packages, files, name, modes, config, writes } of CASES) {
    test(`recognises ${app}, and writes usable files`, async () => {
      const directory = repository(packages, files)
      const said = await init(directory)
      assert.match(said[0] as string, new RegExp(`^found: ${name} \\(`))
      const text = readFileSync(join(directory, '.github/async-php-bench.yml'), 'utf8')
      assert.match(text, config)
      const parsed = parseConfig(text, 'c.yml')
      const found = modesOf(parsed)
      assert.deepEqual(
        found.map((mode) => mode.name),
        modes,
      )
      refuseWrongOrder(found)
      refuseFront(parsed.front, found)
      workloadsOf(parsed)
      const made = ['bench/app.php', 'bench/hyperf.php'].filter((file) => existsSync(join(directory, file)))
      assert.deepEqual(made, writes ? [writes[0]] : [])
      if (!writes) return
      assert.match(readFileSync(join(directory, writes[0]), 'utf8'), writes[1])
      const checked = await exec(['php', '-l', writes[0]], { cwd: directory, env: bare() })
      assert.equal(checked.code, 0, checked.stdout)
    })
  }

  test('never uses a development server as the reference', async () => {
    for (const { packages, files } of CASES) {
      const directory = repository(packages, files)
      await init(directory)
      assert.doesNotMatch(readFileSync(join(directory, '.github/async-php-bench.yml'), 'utf8'), /artisan serve|php -S/)
    }
  })
})
