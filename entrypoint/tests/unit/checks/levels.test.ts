/** The level of a check, if the configuration does not name it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { levelsOf } from '../../../checks/levels.ts'
import { parseConfig } from '../../../config/parse.ts'
import { rulesOf } from '../../../config/rules.ts'

const levels = (text: string): string[] => Object.values(levelsOf(rulesOf(parseConfig(text, 'c.yml'))))

describe('the level of a check', () => {
  test('is to fail, and off in the profiles quick and work', () => {
    assert.deepEqual(levels(''), Array(7).fill('fail'))
    for (const profile of ['quick', 'work']) {
      assert.deepEqual(levels(`profile: ${profile}`), Array(7).fill('off'))
    }
  })
  test('is the configured one in every profile', () => {
    const some = 'checks: { leak: fail, blocking: warn, cold-start: off }'
    assert.deepEqual(levels(some), ['fail', 'fail', 'warn', 'off', 'fail', 'fail', 'fail'])
    assert.deepEqual(levels(`profile: quick\n${some}`), ['fail', 'off', 'warn', 'off', 'off', 'off', 'off'])
  })
})
