/** The mask that is suggested for two different answers. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { masked } from '../../../preflight/mask.ts'
import { maskLine, suggestedMask } from '../../../preflight/suggest-mask.ts'

describe('a suggested mask', () => {
  const cases: [string, string, string][] = [
    ['{"id":4946,"n":7,"r":3627}', '{"id":9391,"n":7,"r":90}', `mask: ['"id":\\d+', '"r":\\d+']`],
    ["<a href='/x?t=12'>", "<a href='/x?t=9'>", "mask: ['t=\\d+']"],
    ['<i>(1)</i>', '<i>(2)</i>', "mask: ['\\d+']"],
    ['token=deadbeef01 ok', 'token=cafebabe99 ok', "mask: ['token=[0-9A-Fa-f]+']"],
    ["it's a'1", "it's a'2", "mask: ['a''\\d+']"],
    ['hello', 'bye', ''],
  ]
  for (const [one, other, line] of cases) {
    test(`of ${one} and ${other} is ${line || 'none'}`, () => {
      const patterns = suggestedMask(one, other)
      assert.equal(maskLine(patterns), line)
      if (line) assert.equal(masked(one, patterns), masked(other, patterns))
    })
  }

  test('of many parts that differ is one pattern', () => {
    const answer = (number: number): string => ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => `${key}:${number}`).join(' ')
    assert.deepEqual(suggestedMask(answer(1), answer(2)), ['\\d+'])
  })
})
