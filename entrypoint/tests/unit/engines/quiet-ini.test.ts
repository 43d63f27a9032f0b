/** Settings of PHP without debuggers and profilers. */
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { copyQuietIni, parsedFiles, withoutDebuggers } from '../../../engines/host/quiet-ini.ts'

describe('an ini file without debuggers', () => {
  const loads = [
    'zend_extension=xdebug.so',
    'zend_extension = "/usr/lib/php/20220829/xdebug.so"',
    ' Zend_Extension=xdebug ; shipped',
    'extension=pcov.so',
    "extension='pcov'",
    'extension=excimer.so',
  ]
  for (const line of loads) {
    test(`lacks ${line}`, () =>
      assert.equal(withoutDebuggers(`a = 1\n${line}\nxdebug.mode = develop\n`), 'a = 1\n\nxdebug.mode = develop\n'))
  }
  test('keeps lines that load something else', () => {
    const text = 'extension=pcovx\n;extension=pcov\nzend_extension=opcache.so\nextension=curl ; not xdebug\n'
    assert.equal(withoutDebuggers(text), text)
  })
})

test('the parsed ini files are those that PHP lists, in its order', () => {
  const before = 'Scan this dir for additional .ini files => /b:/a\n'
  assert.deepEqual(parsedFiles(`${before}Additional .ini files parsed => /b/20-x.ini,\n/a/10 y.ini\n\nPHP API => 1\n`), [
    '/b/20-x.ini',
    '/a/10 y.ini',
  ])
  assert.deepEqual(parsedFiles(`${before}Additional .ini files parsed => (none)\n\nPHP API => 1\n`), [])
})

test('a PHP that does not list its ini files is an error, because its extensions would be missing', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'quiet-ini-'))
  try {
    const [program, target] = [join(directory, 'php'), mkdtempSync(join(directory, 'target-'))]
    writeFileSync(program, '#!/bin/sh\necho "too slow" >&2\nexit 124\n')
    chmodSync(program, 0o755)
    await assert.rejects(copyQuietIni(program, target), /php -i does not list its ini files: exit code 124, too slow$/)
    assert.deepEqual(readdirSync(target), [])
  } finally {
    rmSync(directory, { recursive: true })
  }
})
