/** Shows two answers, one above the other, with the differing characters marked. Pure. */

/** The number of characters that are shown of each. */
const WIDTH = 100
/** The number of characters before the first difference. */
const BEFORE = 40

/** @returns text of several lines */
export function sideBySide(expected: string, found: string): string {
  let first = 0
  while (first < expected.length && expected[first] === found[first]) first++
  const start = Math.max(0, first - BEFORE)
  const [above, below] = [expected, found].map((text) => text.slice(start, start + WIDTH)) as [string, string]
  const marks = Array.from({ length: Math.max(above.length, below.length) }, (_, i) => (above[i] === below[i] ? ' ' : '^'))
  return [`fresh process: ${printable(above)}`, `this worker:   ${printable(below)}`, `               ${marks.join('').trimEnd()}`].join(
    '\n',
  )
}

/** One character for each, so that the marks are aligned. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?')
}
