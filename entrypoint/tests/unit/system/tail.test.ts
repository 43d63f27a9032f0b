import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastLine, lastLines } from '../../../system/tail.ts'

test('the last lines are shown without empty ones, and what printed nothing says so', () => {
  assert.equal(lastLines('one\n\ntwo\n  \n three\n', 2), 'two\n three')
  assert.equal(lastLines(Array.from({ length: 20 }, (_, i) => `${i}`).join('\n')).split('\n').length, 15)
  assert.equal(lastLines(' \n\n'), 'no output')
  assert.equal(lastLine('first\nlast\n\n'), 'last')
  assert.equal(lastLine('x'.repeat(400)).length, 300)
  assert.equal(lastLine(''), 'no output')
})
