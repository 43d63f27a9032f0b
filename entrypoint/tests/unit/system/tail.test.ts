/** The end of a log: read when it is at rest, each kind of line once. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runtimeNamed } from '../../../config/runtimes.ts'
import { atRest, distinctTail, lastLine, lastLines, logEnd, NOTHING_KNOWN, TAIL_LINES } from '../../../system/tail.ts'

describe('a log', () => {
  test('is read to its end, even if it is written after the answer', async () => {
    const log = ['']
    const later = setTimeout(() => log.push('the cache is cold'), 100)
    assert.equal(await atRest(async () => log.join('')), 'the cache is cold')
    clearTimeout(later)
  })
  test('is not waited for endlessly', async () => {
    let lines = 0
    await atRest(async () => String(lines++), 10)
    assert.equal(lines, 8)
  })
  test('shows each kind of line once', () => {
    assert.equal(distinctTail('a 1\nb\na 2\n\na 3\nc 9\n', 3), 'b\na 3\nc 9')
  })
  test('shows the message above a long stack trace, its place, and the first frame of the app', () => {
    const frame = (i: number, path: string): string => `#${i} ${path}(1): call()`
    const trace = [
      ...Array.from({ length: 20 }, (_, i) => frame(i, `/app/vendor/${String.fromCharCode(97 + i)}.php`)),
      frame(20, '/app/src/A.php'),
    ]
    const below = [frame(21, '/bench/server.php'), '#22 {main}', '  thrown in /app/vendor/a.php on line 1']
    const log = ['PHP Fatal error:  Socket#1 has already been bound', 'Stack trace:', ...trace, ...below].join('\n')
    assert.deepEqual(logEnd(log, NOTHING_KNOWN, TAIL_LINES).split('\n'), [
      'PHP Fatal error:  Socket#1 has already been bound',
      'Stack trace:',
      trace[0],
      trace[1],
      trace[20],
      below[2],
    ])
  })
  test("ends with the runtime's advice", () => {
    const log = 'Uncaught Swoole\\Error: Socket#15 has already been bound to another coroutine#13'
    assert.match(logEnd(log, runtimeNamed('swoole'), TAIL_LINES), /coroutine#13\nTwo coroutines used one connection .*PDO::ATTR_PERSISTENT/)
    assert.equal(logEnd('all is well', runtimeNamed('swoole'), TAIL_LINES), 'all is well')
  })
})

test('the last lines are shown without empty ones, and an empty output is reported', () => {
  assert.equal(lastLines('one\n\ntwo\n  \n three\n', 2), 'two\n three')
  assert.equal(lastLines(Array.from({ length: 20 }, (_, i) => `${i}`).join('\n')).split('\n').length, 15)
  assert.equal(lastLines(' \n\n'), 'no output')
  assert.equal(lastLine('first\nlast\n\n'), 'last')
  assert.equal(lastLine('x'.repeat(400)).length, 300)
  assert.equal(lastLine(''), 'no output')
})
