/** Gate settings of `analyse` from the command line, and refused values. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gateGiven } from '../../../commands/gate-given.ts'
import { ANALYSE_OPTIONS } from '../../../commands/options.ts'
import { parse } from '../../../commands/parse.ts'
import { parseConfig } from '../../../config/parse.ts'

const given = (...args: string[]) => gateGiven(parse(args, ANALYSE_OPTIONS))

describe('gate settings on the command line', () => {
  test('are those of the configuration if nothing is given', () => {
    assert.deepEqual(given(), parseConfig('', 'none').gate)
  })
  test('are numbers, and a gain for each workload', () => {
    assert.equal(given('--max-regression', '2.5')['max-regression'], 2.5)
    assert.equal(given('--min-gain', '1.2')['min-gain'], 1.2)
    assert.deepEqual(given('--min-gain', 'invoice=1.1,fibonacci=1.5')['min-gain'], { invoice: 1.1, fibonacci: 1.5 })
  })
  const refusals: [string, string, RegExp][] = [
    ['max-regression', 'five', /^--max-regression: found "five", allowed: a number$/],
    ['max-regression', '0', /^--max-regression: found 0, allowed: more than 0$/],
    ['alpha', '0.6', /^--alpha: found 0\.6, allowed: at most 0\.5$/],
    ['alpha', '', /^--alpha: found "", allowed: a number$/],
    ['min-gain', '0', /^--min-gain: found 0, allowed: more than 0$/],
    ['min-gain', 'invoice=fast', /^--min-gain\.invoice: found "fast", allowed: a number$/],
    ['min-gain', 'invoice=1=2', /^--min-gain\.invoice: found "1=2", allowed: a number$/],
  ]
  for (const [key, value, message] of refusals) {
    test(`--${key} ${JSON.stringify(value)} is refused`, () => {
      assert.throws(() => given(`--${key}=${value}`), { message })
    })
  }
})
