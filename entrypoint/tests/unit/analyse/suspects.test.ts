import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { suspects } from '../../../analyse/suspects.ts'

const none = { servers: {}, packages: { base: {}, head: {} }, files: [], bootstrap: [] }
const server = (php: string, jit: string, waits: number): Record<string, unknown> => ({
  php,
  waits_ms: waits,
  extensions: { pdo: php },
  ini: { 'opcache.jit': jit },
  swoole: { hook_flags: 1 },
})

describe('the suspects', () => {
  test('are what differs, by kind', () => {
    const text = suspects({
      servers: { 'base/fpm': server('8.2.1', 'off', 100), 'head/fpm': server('8.2.1', 'tracing', 101), 'head/swoole': server('8', '', 1) },
      packages: { base: { 'a/b': '1.0' }, head: { 'a/b': '1.1', 'c/d': '2' } },
      files: ['src/x.php', 'config/app.php', 'entry.php'],
      bootstrap: ['entry.php'],
    })
    assert.deepEqual(
      text.split('\n').filter((line) => line.startsWith('- ')),
      [
        '- setting `opcache.jit`: `off` → `tracing`',
        '- package `a/b`: `1.0` → `1.1`',
        '- package `c/d`: `none` → `2`',
        '- files that start the app: `config/app.php`, `entry.php` (of 3 changed files)',
      ],
    )
  })
  test('are none where nothing differs', () => assert.match(suspects(none), /Nothing: PHP, extensions/))
  test('cannot leave their code spans', () => {
    const text = suspects({ ...none, files: ['config/`<img>|\n@all`.php'] })
    assert.match(text, /`config\/\?\?img\?\?\?@all\?\.php`/)
  })
})
