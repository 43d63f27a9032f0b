// Samples with rows in any order get their roles from the kinds of the runtimes.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inRoles, modesIn } from '../../../analyse/roles.ts'
import { COLUMNS } from '../../../measure/samples.ts'

const csv = (...modes: string[]): string =>
  [COLUMNS.join(','), ...modes.map((mode) => COLUMNS.map((column) => (column === 'mode' ? mode : '1')).join(',')), ''].join('\n')

describe('the modes of samples without a run.json', () => {
  test('are read from the column of every file', () => {
    assert.deepEqual(modesIn([csv('swoole', 'fpm', 'swoole'), csv('fibers')]), ['swoole', 'fpm', 'fibers'])
    assert.equal(modesIn(['a,b\n1,2\n']), undefined)
    assert.equal(modesIn([csv('fpm', '\u001b[2J')]), undefined)
  })
  test('have their roles by kind, whatever comes first', () => {
    assert.deepEqual(inRoles(['swoole', 'fpm']), ['fpm', 'swoole'])
    assert.deepEqual(inRoles(['fibers', 'fpm']), ['fpm', 'fibers'])
    assert.deepEqual(inRoles(['swoole-sync', 'fpm']), ['fpm', 'swoole-sync'])
    assert.deepEqual(inRoles(['swoole', 'swoole-sync']), ['swoole-sync', 'swoole'])
    assert.deepEqual(inRoles(['swoole-sync', 'swoole', 'fpm']), ['fpm', 'swoole', 'swoole-sync'])
    assert.deepEqual(inRoles(['fpm']), ['fpm'])
  })
  for (const modes of [
    ['octane', 'fpm'],
    ['swoole', 'fibers'],
    ['fpm', 'swoole', 'fibers'],
  ])
    test(`must be given if the kinds allow several orders: ${modes.join(', ')}`, () => {
      assert.throws(() => inRoles(modes), new RegExp(`--modes: needed, .* Found in the samples: ${modes.join(', ')}\\. Allowed: `))
    })
})
