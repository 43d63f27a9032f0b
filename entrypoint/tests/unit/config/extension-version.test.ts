/** Versions of extensions: how they are read, and which are requested. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { releaseToBuild, satisfies } from '../../../config/extension-version.ts'
import { parseConfig } from '../../../config/parse.ts'

describe('the version of an extension', () => {
  for (const [version, asked, is] of [
    ['6.2.2', '6.2', true],
    ['6.2.2', '6.2.2', true],
    ['6.2.2', '6', true],
    ['6.2.2', undefined, true],
    ['6.20.0', '6.2', false],
    ['16.2.0', '6.2', false],
    ['6.2.22', '6.2.2', false],
    ['6.2', '6.2.2', false],
    ['', '6.2', false],
  ] as const) {
    test(`${version || 'none'} is ${is ? '' : 'not '}what ${asked ?? 'nobody'} asks for`, () => assert.equal(satisfies(version, asked), is))
  }
  test('to build is the newest tested one, or an exact release', () => {
    const pecl = { package: 'swoole', versions: ['6.2.2', '6.2.0', '5.1.2'], with: {} }
    assert.deepEqual(
      [undefined, '6', '5.1', '6.2.0', '6.1.4', '6.1', '4'].map((asked) => releaseToBuild(pecl, asked)),
      ['6.2.2', '6.2.2', '5.1.2', '6.2.0', '6.1.4', undefined, undefined],
    )
  })
  test('needs quotes in the configuration, because YAML reads 6.10 as 6.1', () => {
    assert.equal(parseConfig('swoole: "6.2"', 'c.yml').swoole, '6.2')
    assert.equal(parseConfig('', 'c.yml').swoole, null)
    for (const wrong of ['6.2', '">=6"', '"6.2.2.1"', 'latest'])
      assert.throws(
        () => parseConfig(`swoole: ${wrong}`, 'c.yml'),
        /^InputError: c\.yml:1: swoole: found .*: must be a version in quotes, such as "6\.2"/,
      )
  })
})
