/** A load of a fixed rate in the configuration. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { intervalOf, refuseRates } from '../../../config/load-rate.ts'
import { parseConfig } from '../../../config/parse.ts'

describe('a rate as a load', () => {
  test('has connections of its own, or sixteen', () => {
    assert.deepEqual(parseConfig('loads: { a: { rate: 200 }, b: { rate: 0.5, concurrency: 20 }, c: 8 }', 'c.yml').loads, {
      a: { rate: 200, concurrency: 16 },
      b: { rate: 0.5, concurrency: 20 },
      c: { concurrency: 8 },
    })
  })

  for (const [what, load, message] of [
    ['no rate', '{ rate: 0 }', /^InputError: c\.yml:1: loads\.a\.rate: found 0, allowed: at least 0\.1$/],
    [
      'a misspelt one',
      '{ rates: 5 }',
      /^InputError: c\.yml:1: unknown key "rates" in loads\.a; did you mean "rate"\? Allowed: concurrency, rate\n/,
    ],
    ['neither', '{}', /^InputError: c\.yml:1: loads\.a\.concurrency: found nothing: must be there, or a rate in a study$/],
    ['a word', '{ rate: fast }', /^InputError: c\.yml:1: loads\.a\.rate: found "fast", allowed: a number$/],
  ] as const)
    test(`${what} is refused`, () => assert.throws(() => parseConfig(`loads: { a: ${load} }`, 'c.yml'), message))

  test('is refused in a gate, with a pointer to study', () => {
    const { loads, placeOf } = parseConfig('budget: 5m\nloads: { medium: 8, fast: { rate: 200 } }', 'c.yml')
    assert.throws(
      () => refuseRates({ loads }, placeOf('loads')),
      /^InputError: c\.yml:2: loads\.fast: found rate: 200, allowed: a concurrency\..*`study`/,
    )
    refuseRates(parseConfig('', 'c.yml'), '')
  })

  test('is shared by its connections', () => {
    assert.equal(intervalOf({ rate: 200, concurrency: 20 }), 0.1)
    assert.equal(intervalOf({ concurrency: 20 }), undefined)
  })
})
