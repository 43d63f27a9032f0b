/** The files in an image are enough for each runtime by itself. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { names } from '../../../config/catalog.ts'
import { comparisonOf } from '../../../config/comparison.ts'
import { phpRuntimes } from '../../../config/languages.ts'
import { parseConfig } from '../../../config/parse.ts'
import { rulesOf } from '../../../config/rules.ts'
import { copyOurs } from '../../../engines/docker/image/context.ts'

describe('an image', () => {
  test('has every file that a handler loads, without another workload in the configuration', () => {
    const bench = mkdtempSync(join(tmpdir(), 'apb-context-'))
    try {
      const head = parseConfig('modes: [fpm]\nworkloads: [fibonacci]', 'c.yml')
      const served = comparisonOf({ rules: rulesOf(head), head, isJudgedByBase: false }).served.head
      copyOurs(bench, { revision: 'head', served, front: '', connections: 4, cpus: 2 })
      for (const name of names('workloads')) {
        const directory = join(bench, 'workloads', name)
        const text = readFileSync(join(directory, 'handler.php'), 'utf8')
        for (const [, file = ''] of text.matchAll(/^require_once __DIR__ \. '([^']+)'/gm))
          assert.ok(existsSync(join(directory, file)), file)
      }
    } finally {
      rmSync(bench, { recursive: true })
    }
  })

  for (const name of phpRuntimes().filter((name) => name !== 'fpm')) {
    test(`has every file that the server of ${name} loads, without another mode`, () => {
      const bench = mkdtempSync(join(tmpdir(), 'apb-context-'))
      try {
        const head = parseConfig(`modes: [${name}]\nworkloads: [fibonacci]`, 'c.yml')
        const served = comparisonOf({ rules: rulesOf(head), head, isJudgedByBase: false }).served.head
        copyOurs(bench, { revision: 'head', served, front: '', connections: 4, cpus: 2 })
        const directory = join(bench, 'runtimes', name)
        // A process of its own starts with server.php. A web server starts with front.php.
        const first = ['server.php', 'front.php'].map((file) => join(directory, file)).find(existsSync) as string
        const loaded = [...readFileSync(first, 'utf8').matchAll(/^require __DIR__ \. '([^']+)'/gm)]
        // Missing packages are installed.
        const files = loaded.map((match) => match[1] as string).filter((file) => !file.startsWith('/vendor/'))
        assert.ok(files.length > 0)
        for (const file of files) assert.ok(existsSync(join(directory, file)), file)
      } finally {
        rmSync(bench, { recursive: true })
      }
    })
  }
})
