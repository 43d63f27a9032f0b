/** Which changes of a pull request may explain a verdict. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { blockOf, type Differences, suspects as sentencesOf } from '../../../analyse/suspects.ts'

const suspects = (differences: Differences): string => blockOf(sentencesOf(differences))
const none = { servers: {}, statements: {}, loaded: {}, packages: { base: {}, head: {} }, files: [], bootstrap: [] }
const server = (php: string, jit: string, waits: number): Record<string, unknown> => ({
  php,
  waits_ms: waits,
  // A mode that need not overlap is tried once, so a busy machine may decide.
  waits_overlap: waits < 125,
  extensions: { pdo: php },
  ini: { 'opcache.jit': jit },
  swoole: { hook_flags: 1 },
})

describe('the suspects', () => {
  test('are the differences, by kind', () => {
    const text = suspects({
      ...none,
      servers: { 'base/fpm': server('8.2.1', 'off', 100), 'head/fpm': server('8.2.1', 'tracing', 150), 'head/swoole': server('8', '', 1) },
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
  test('count one changed file as one', () =>
    assert.deepEqual(sentencesOf({ ...none, files: ['bench/app.php'] }), ['files that start the app: `bench/app.php` (of 1 changed file)']))
  const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('- '))
  test('tell how many statements a request makes, and in which modes', () => {
    const text = suspects({
      ...none,
      statements: {
        'base/fpm': { orders: { select: 1 }, home: {} },
        'base/swoole': { orders: { select: 1 }, home: {} },
        'head/fpm': { orders: { select: 13 }, home: { insert: 1 }, new: { select: 5 } },
        'head/swoole': { orders: { select: 13 }, home: {} },
      },
    })
    assert.deepEqual(linesOf(text), [
      '- workload `orders` makes 13 SELECT statements per request instead of 1 (`fpm`, `swoole`)',
      '- workload `home` makes 1 INSERT statement per request instead of 0 (`fpm`)',
    ])
  })
  test('name the changed files that were loaded, and by which workload', () => {
    const exact = (files: string[]) => ({ perRequest: true, files })
    const soFar = (files: string[]) => ({ perRequest: false, files })
    const text = suspects({
      ...none,
      files: ['src/Orders.php', 'src/Client.php', 'src/Gone.php', 'tests/OrdersTest.php'],
      loaded: {
        'base/fpm': { home: exact(['src/Gone.php']) },
        'head/fpm': { home: exact(['index.php']), orders: exact(['src/Orders.php']) },
        'head/swoole': { home: soFar(['src/Orders.php', 'src/Client.php']), orders: soFar(['src/Orders.php', 'src/Client.php']) },
      },
    })
    assert.deepEqual(linesOf(text), [
      '- changed files that the workloads load: `src/Orders.php` (`orders`), `src/Client.php` (in `swoole`), `src/Gone.php` (`home`)',
    ])
  })
  test('are empty if nothing differs', () => assert.match(suspects(none), /No difference: PHP, extensions/))
  test('cannot leave their code spans', () => {
    const text = suspects({ ...none, files: ['config/`<img>|\n@all`.php'] })
    assert.match(text, /`config\/\?\?img\?\?\?@all\?\.php`/)
  })
})
