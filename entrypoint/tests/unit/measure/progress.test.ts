/** The lines that a person reads during the measurement. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Progress, type Ran } from '../../../measure/progress.ts'

/** The lines of runs that take a minute each. @param turns runs that end together */
function linesOf(planned: number, turns: [number, boolean][][]): string[] {
  let time = 5
  const lines: string[] = []
  const progress = new Progress(
    planned,
    (line) => lines.push(line.replace(/:.*/, '')),
    () => time,
  )
  for (const turn of turns) {
    time += turn.length * 60_000
    for (const [i, [number, isAgain]] of turn.entries()) {
      const run: Ran = { number, isAgain, unsaid: turn.length - 1 - i, what: 'a/b head fpm', goodput: 1, errors: {} }
      progress.ran(run)
    }
  }
  return lines
}

test('a quad that is run again repeats its numbers, and its time remains', () => {
  const once = (number: number): [number, boolean][] => [[number, false]]
  const again = (number: number): [number, boolean][] => [[number, true]]
  assert.deepEqual(linesOf(4, [once(1), once(2), again(1), again(2), once(3), once(4), again(3), again(4)]), [
    'run 1/4, 3 min left',
    'run 2/4, 2 min left',
    'run 1/4 again, 3 min left',
    'run 2/4 again, 2 min left',
    'run 3/4, 1 min left',
    'run 4/4, 0 min left',
    'run 3/4 again, 1 min left',
    'run 4/4 again, 0 min left',
  ])
})

test('runs that end together print the same remaining time', () => {
  const turn = (first: number, isAgain = false): [number, boolean][] => [0, 1].map((i) => [first + i, isAgain])
  assert.deepEqual(linesOf(4, [turn(1), turn(3), turn(3, true)]), [
    'run 1/4, 2 min left',
    'run 2/4, 2 min left',
    'run 3/4, 0 min left',
    'run 4/4, 0 min left',
    'run 3/4 again, 0 min left',
    'run 4/4 again, 0 min left',
  ])
})

test('a line has the rate, and errors by kind', () => {
  const lines: string[] = []
  new Progress(2, (line) => lines.push(line)).ran({
    number: 1,
    isAgain: false,
    unsaid: 0,
    what: 'a/b head fpm',
    goodput: 12.34,
    errors: { timeout: 2 },
  })
  assert.deepEqual(lines, ['run 1/2, 0 min left: a/b head fpm: 12.3/s (2 timeout)'])
})
