/** The folders of runtimes and workloads, and names that are in none. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { names } from '../../../config/catalog.ts'
import { modesOf } from '../../../config/modes.ts'
import { runtimeNamed } from '../../../config/runtimes.ts'
import { parseConfig } from '../../../config/schema.ts'
import { workloadsOf } from '../../../config/workloads.ts'

describe('folders', () => {
  test('are all readable', () => {
    for (const name of names('runtimes')) assert.equal(runtimeNamed(name).name, name)
    assert.equal(modesOf(parseConfig('modes: [fibers, fpm, swoole, swoole-sync]', 'c')).length, 4)
    const [, invoice] = workloadsOf(parseConfig('workloads: [fibonacci, { name: invoice, columns: all }]', 'c'))
    assert.equal(invoice?.path, '/_bench/invoice?columns=all')
    assert.deepEqual(invoice?.builtIn?.statements, { insert: 14, select: 175, update: 4, delete: 1 })
  })
  const refused: [string, RegExp][] = [
    ['modes: [fpm, swole]', /modes: no runtime named "swole"; did you mean "swoole"\? Allowed: fibers, fpm/],
    ['modes: [fpm, fpm]', /"fpm" is there twice/],
    ['workloads: [fibonaci]', /did you mean "fibonacci"\?/],
    ['workloads: [{ name: invoice, colums: all }]', /no option named "colums"; did you mean "columns"/],
    ['workloads: [{ name: invoice, columns: some }]', /Allowed: twelve, all/],
    ['workloads: [{ name: a, path: /, mask: ["("] }]', /mask: "\(" is not a regular expression/],
  ]
  for (const [text, message] of refused) {
    test(`refuse ${text}`, () => assert.throws(() => [modesOf(parseConfig(text, 'c')), workloadsOf(parseConfig(text, 'c'))], message))
  }
})
