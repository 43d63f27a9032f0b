/** Two answers below each other, with the differing characters marked. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sideBySide } from '../../../checks/side-by-side.ts'

test('the marks are below the differing characters', () => {
  assert.equal(
    sideBySide('{"user":"anna"}', '{"user":"anton"}'),
    ['fresh process: {"user":"anna"}', 'this worker:   {"user":"anton"}', '                          ^^^^^'].join('\n'),
  )
})
test('a difference far into long answers is shown with the text before it', () => {
  const [above, below, marks] = sideBySide(`${'x'.repeat(5000)}a${'y'.repeat(5000)}`, `${'x'.repeat(5000)}b${'y'.repeat(5000)}`).split('\n')
  assert.equal(above, `fresh process: ${'x'.repeat(40)}a${'y'.repeat(59)}`)
  assert.equal(below?.[marks?.indexOf('^') ?? -1], 'b')
})
test('line breaks and signs of other alphabets stay one character each', () => {
  assert.equal(sideBySide('a\nü', 'a\nö').split('\n')[2]?.trimEnd().length, 15 + 3)
})
