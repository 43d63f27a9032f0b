/** Settings of PHP without debuggers and profilers. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parsedFiles, withoutDebuggers } from '../../../engines/host/quiet-ini.ts'

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
