/** The content of installed Composer packages. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { PACKAGE } from '../../../config/catalog.ts'
import { packageFault, readSums } from '../../../provision/packages.ts'

describe('a Composer package of ours', () => {
  const faultOf = (files: Record<string, string>): string | undefined => {
    const directory = mkdtempSync(join(tmpdir(), 'apb-unit-'))
    try {
      const sum = createHash('sha256').update('<?php // right').digest('hex')
      const all: Record<string, string> = { 'packages.sha256': `${sum}  vendor/a/b/src/B.php\n`, 'vendor/autoload.php': 'x', ...files }
      for (const [name, content] of Object.entries(all)) {
        mkdirSync(dirname(join(directory, name)), { recursive: true })
        writeFileSync(join(directory, name), content)
      }
      return packageFault(directory, 'a/b')
    } finally {
      rmSync(directory, { recursive: true })
    }
  }
  const right = { 'vendor/a/b/src/B.php': '<?php // right', 'vendor/a/b/composer.json': '{}', 'vendor/composer/autoload_real.php': 'x' }

  test('is accepted by its checksums, from any source', () => {
    assert.equal(faultOf(right), undefined)
    assert.equal(faultOf({}), 'a Composer package')
  })
  test('is refused with other content, an additional or a missing file', () => {
    assert.match(faultOf({ ...right, 'vendor/a/b/src/B.php': '<?php // other' }) ?? '', /^vendor\/a\/b\/src\/B\.php is not the file/)
    assert.match(faultOf({ ...right, 'vendor/a/b/src/C.php': '' }) ?? '', /^vendor\/a\/b\/src\/C\.php is not the file/)
    assert.match(faultOf({ 'vendor/a/b/composer.json': '{}' }) ?? '', /^vendor\/a\/b\/src\/B\.php is missing/)
  })
  test('has checksums and an exact version in every runtime that needs one', () => {
    const runtimes = join(PACKAGE, 'runtimes')
    const folders = readdirSync(runtimes).filter((name) => /composer:/.test(readFileSync(join(runtimes, name, 'runtime.yml'), 'utf8')))
    assert.ok(folders.length)
    for (const folder of folders) {
      const { require } = JSON.parse(readFileSync(join(runtimes, folder, 'composer.json'), 'utf8')) as { require: Record<string, string> }
      for (const [name, version] of Object.entries(require)) if (name.includes('/')) assert.match(version, /^\d+(\.\d+)+$/, name)
      assert.ok(readSums(readFileSync(join(runtimes, folder, 'packages.sha256'), 'utf8')).size)
    }
  })
})
