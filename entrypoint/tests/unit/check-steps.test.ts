/** The tests that `npm run check -- FILE` runs for a file. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ofPhp, units } from '../../../scripts/checks/steps.mjs'

const titles = (file: string): string[] => ofPhp([file]).map(({ title }) => title)

describe('a file', () => {
  test('of PHP beside TypeScript is tested by the tests of its folder, not by phpunit', () => {
    const relay = 'entrypoint/engines/shared/sidecars/relay/Relay.php'
    assert.ok(units([relay])[0]?.command.includes('entrypoint/tests/unit/engines/relay.test.ts'))
    assert.equal(titles(relay).includes('phpunit'), false)
  })
  test('of PHP among the sources is tested by phpunit', () => {
    assert.equal(titles('php/src/Server/Held.php').includes('phpunit'), true)
    assert.deepEqual(units(['php/src/Server/Held.php']), [])
  })
  test('of TypeScript is tested by its own test', () => {
    assert.deepEqual(units(['entrypoint/config/rules.ts'])[0]?.command.slice(-1), ['entrypoint/tests/unit/config/rules.test.ts'])
  })
})
