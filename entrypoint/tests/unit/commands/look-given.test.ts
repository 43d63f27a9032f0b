/** Which look `analyse` takes. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { lookGiven } from '../../../commands/look-given.ts'
import { ANALYSE_OPTIONS } from '../../../commands/options.ts'
import { parse } from '../../../commands/parse.ts'

const directory = mkdtempSync(join(tmpdir(), 'look-test-'))
after(() => rmSync(directory, { recursive: true }))
const run = join(directory, 'run.json')

/** @param recorded the content of run.json, if there is one */
function given(args: string[], recorded?: object): [number, number] {
  if (recorded) writeFileSync(run, JSON.stringify(recorded))
  const { looks, look } = lookGiven(parse(args, ANALYSE_OPTIONS), recorded && run)
  return [looks, look]
}

describe('the look', () => {
  test('is the only one by default, or as the command line says', () => {
    assert.deepEqual(given([]), [1, 1])
    assert.deepEqual(given(['--looks', '2']), [2, 2])
    assert.deepEqual(given(['--looks', '4']), [4, 4])
    assert.deepEqual(given(['--looks', '4', '--look', '3']), [4, 3])
  })
  test('is that of a job that measured open cells further', () => {
    assert.deepEqual(given([], { looks: 4, look: 2 }), [4, 2])
    assert.deepEqual(given(['--look', '3'], { looks: 4, look: 2 }), [4, 3])
    assert.deepEqual(given(['--looks', '4'], { looks: 4, look: 2 }), [4, 2])
    assert.deepEqual(given(['--looks', '1'], { looks: 4, look: 2 }), [1, 1])
    // Older jobs need --looks.
    assert.deepEqual(given([], { looks: 2 }), [1, 1])
    assert.deepEqual(given([], { looks: 4, look: 5 }), [1, 1])
  })
  test('beyond their number is refused', () => {
    assert.throws(() => given(['--look', '2']), /^InputError: --look: found 2, allowed: 1 to 1, the number of looks$/)
  })
})
