/** The run.json that `analyse` reads. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { runGiven } from '../../../commands/run-given.ts'

const root = mkdtempSync(join(tmpdir(), 'run-given-'))
after(() => rmSync(root, { recursive: true, force: true }))
const SAMPLES = join(root, 'samples.csv')

function put(name: string, text: string): string {
  writeFileSync(join(root, name), text)
  return join(root, name)
}

describe('the run.json of an analysis', () => {
  for (const [what, text, fault] of [
    ['an empty file', '\n', /^--run: .*\/x\.json: found an empty file\. Allowed: the run\.json of a measurement$/],
    ['a broken one', '{"a":', /^--run: .*: found text that is not JSON \(.+\)\. Allowed/],
    ['a list', '[1]', /: found JSON that is not an object\./],
  ] as const) {
    test(`is refused: ${what}`, () => assert.throws(() => runGiven(put('x.json', text), [SAMPLES]), { name: 'InputError', message: fault }))
  }
  test('is refused if it does not exist', () =>
    assert.throws(() => runGiven(join(root, 'none.json'), [SAMPLES]), /: found no readable file\./))
  test('is the one beside the only file of samples', () => {
    assert.equal(runGiven(undefined, [SAMPLES]), undefined)
    const file = put('run.json', '{"seed":1}')
    assert.equal(runGiven(undefined, [SAMPLES]), file)
    assert.equal(runGiven(undefined, [SAMPLES, SAMPLES]), undefined)
    put('run.json', '')
    assert.throws(() => runGiven(undefined, [SAMPLES]), /^InputError: \/.*\/run\.json: found an empty file/)
  })
})
