/** The PHP version in the workflow of `init`. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allows, newestPhp } from '../../../../commands/init/php-version.ts'

describe('the newest PHP that is allowed', () => {
  const cases: [string[], string | undefined][] = [
    [[], '8.5'],
    [['>=8.1'], '8.5'],
    [['^8.2'], '8.5'],
    [['^7.4 || ^8.0'], '8.5'],
    [['~8.3.0'], '8.3'],
    [['~8.3'], '8.5'],
    [['8.2.*'], '8.2'],
    [['>=8.1,<8.4'], '8.3'],
    [['>= 8.1 < 8.5'], '8.4'],
    [['8.1 - 8.3'], '8.3'],
    [['8.1.0 - 8.3.20'], '8.3'],
    [['>=8.2', '~8.2.0 || ~8.3.0 || ~8.4.0'], '8.4'],
    [['>=8.2 !=8.5.*'], '8.4'],
    [['8.4.6'], '8.4'],
    [['*'], '8.5'],
    [['^7.4'], undefined],
    [['>=8.4', '<8.3'], undefined],
  ]
  for (const [constraints, version] of cases)
    test(`of ${JSON.stringify(constraints)} is ${version}`, () => assert.equal(newestPhp(constraints), version))

  test('a constraint that only Composer understands excludes nothing', () => assert.ok(allows('dev-main', '8.4')))
})
