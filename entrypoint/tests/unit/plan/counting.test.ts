/** Whether instructions are counted, by which tool, and how long that takes. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Mode } from '../../../config/experiment.ts'
import { runtimeNamed } from '../../../config/runtimes.ts'
import { type Countable, chooseCounting } from '../../../plan/counting.ts'
import { MeasurementError } from '../../../system/errors.ts'

const mode = (name: string): Mode => ({ name, kind: runtimeNamed(name).kind, via: 'runtime', runtime: runtimeNamed(name) })
const modes = [mode('fpm'), mode('fibers')]
const countable = (changed: Partial<Countable> = {}, instructions: Countable['rules']['instructions'] = 'auto'): Countable => ({
  rules: { instructions, profile: 'full' },
  modes,
  hasBase: true,
  counters: ['perf', 'valgrind'],
  ...changed,
})

describe('the tool that counts instructions', () => {
  test('auto chooses the best available tool; a name chooses that tool', () => {
    assert.deepEqual(chooseCounting(countable()), { counter: 'perf', repetitions: 4 })
    assert.deepEqual(chooseCounting(countable({ counters: ['valgrind'] })), { counter: 'valgrind', repetitions: 4 })
    assert.deepEqual(chooseCounting(countable({}, 'valgrind')), { counter: 'valgrind', repetitions: 4 })
  })
  test('a quick profile counts if a tool is named', () => {
    const quick = (instructions: Countable['rules']['instructions']) => ({ rules: { instructions, profile: 'quick' as const } })
    assert.deepEqual(chooseCounting(countable(quick('auto'))), { why: undefined })
    assert.deepEqual(chooseCounting(countable(quick('valgrind'))), { counter: 'valgrind', repetitions: 3 })
  })
  test('a work profile counts what base and head have, or ends', () => {
    const work = (counters: Countable['counters']) => countable({ rules: { instructions: 'auto', profile: 'work' }, counters })
    assert.deepEqual(chooseCounting(work(['valgrind'])), { counter: 'valgrind', repetitions: 3 })
    assert.throws(
      () => chooseCounting(work([])),
      /profile: work counts instructions, and nothing can count here\. .*install the package valgrind/,
    )
    assert.deepEqual(chooseCounting({ ...work([]), hasBase: false }), { why: 'there is no base to compare with' })
  })
  test('uncounted modes are named', () => {
    assert.deepEqual(chooseCounting(countable({ counters: [] })), { why: 'neither perf nor Valgrind can count here' })
    assert.deepEqual(chooseCounting(countable({ hasBase: false })), { why: 'there is no base to compare with' })
    const octane: Mode = { name: 'octane', kind: 'async', via: 'command', command: 'php', health: '/' }
    assert.deepEqual(chooseCounting(countable({ modes: [mode('fpm'), octane] })), { why: 'octane is served by a command of yours' })
    const builtIn = countable({ modes: [mode('php-builtin'), mode('fibers')] })
    assert.deepEqual(chooseCounting(builtIn), { why: 'it is unknown which process of php-builtin runs PHP' })
    assert.deepEqual(chooseCounting(countable({}, 'off')), { why: undefined })
  })
  test('an unavailable counter is refused, never replaced', () => {
    assert.throws(() => chooseCounting(countable({ counters: ['valgrind'] }, 'perf')), MeasurementError)
    assert.throws(() => chooseCounting(countable({ counters: ['perf'] }, 'valgrind')), /install the package valgrind/)
  })
})
