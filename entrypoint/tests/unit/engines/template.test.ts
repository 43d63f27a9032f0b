/** Placeholders of templates and commands. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fill, fillCommand } from '../../../engines/shared/template.ts'

describe('templates', () => {
  test('are filled, and empty arguments left out', () => {
    assert.deepEqual(fillCommand(['a', '{b}', 'x{c}'], { b: '', c: '1' }), ['a', 'x1'])
    assert.throws(
      () => fill('{nothing}', { b: '1' }),
      /^Error: no value for \{nothing\}\. A program among the needs of the runtime has none where it is not installed; `doctor` names it\. Known: b$/,
    )
    assert.throws(
      () => fill('{runtme}/server.php', { dir: '/d', runtime: '/r' }),
      /^Error: no value for \{runtme\}; did you mean \{runtime\}\? A program among /,
    )
  })
})
