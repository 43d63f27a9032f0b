/** `loads: search` in the configuration. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isSearched, refuseSearch } from '../../../config/load-search.ts'
import { parseConfig } from '../../../config/parse.ts'

describe('loads: search', () => {
  test('is distinguished from named loads, and no load can have its name', () => {
    assert.ok(isSearched(parseConfig('loads: search', 'c.yml')))
    assert.ok(!isSearched(parseConfig('loads: { search: 8 }', 'c.yml')))
    assert.throws(() => parseConfig('loads: { "*": 8 }', 'c.yml'), /^InputError: c\.yml:1: loads: found the key "\*"/)
    assert.throws(() => parseConfig('loads: serch', 'c.yml'), /^InputError: c\.yml:1: loads: found "serch"/)
  })

  test('is refused in a gate, with a pointer to study', () => {
    const { loads, placeOf } = parseConfig('budget: 5m\nloads: search', 'c.yml')
    assert.throws(
      () => refuseSearch({ loads }, placeOf('loads')),
      /^InputError: c\.yml:2: loads: found search, allowed: load levels by name\./,
    )
    refuseSearch(parseConfig('', 'c.yml'), '')
  })
})
