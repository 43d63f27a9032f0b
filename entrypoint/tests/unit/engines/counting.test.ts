/** Counting instructions: the commands around a server, and the output of Valgrind and perf. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { instructionsIn, processesIn, underCallgrind } from '../../../engines/shared/callgrind.ts'
import { instructionsCounted, underPerf } from '../../../engines/shared/perf.ts'

describe('callgrind', () => {
  const status = (threads: string): string =>
    `instrumentation: on\nexecuted-bbs: 27260352\nevents: Ir\npart: 0\n${threads}frames-1: 2\nfunction-1-0: main\ncalls-1-0: 1\nevents-1-0: 106793648\n`

  test('reports the instructions of every thread, which include those of its frames', () => {
    assert.equal(instructionsIn(status('threads: 1\nevents-1: 115199226\n')), 115199226)
    assert.equal(instructionsIn(status('threads: 2\nevents-1: 100\nevents-2: 11\n')), 111)
  })

  test('has no result if it counts something else, or did not answer', () => {
    assert.equal(instructionsIn(''), undefined)
    assert.equal(instructionsIn('1 thread(s) running.\n'), undefined)
    assert.equal(instructionsIn('instrumentation: on\nevents: Ir Dr\nevents-1: 12\n'), undefined)
  })

  test('has no result for a process that does not count', () => {
    assert.equal(instructionsIn(status('threads: 1\nevents-1: 0\n').replace('on', 'off')), undefined)
  })

  test('is asked through the pipes of each process', () => {
    const pipes = [
      'pipe-from-vgdb-to-41-by-root-on-host',
      'pipe-to-vgdb-from-41-by-root-on-host',
      'pipe-shared-mem-vgdb-41-by-root-on-host',
    ]
    assert.deepEqual(processesIn([...pipes, '41.out', 'pipe-from-vgdb-to-7-by-root-on-host']), [41, 7])
  })

  test('counts children of the command, too, and runs the command unchanged', () => {
    const command = underCallgrind(['php', 'a b', '$c'], '/d')
    assert.deepEqual(command.slice(-4), ['--vgdb-prefix=/d/valgrind/pipe', 'php', 'a b', '$c'])
    assert.ok(command.includes('--trace-children-skip=*/sh,*/dash,*/bash'))
    assert.ok(
      command.includes('--trace-children=yes') &&
        command.includes('--instr-atstart=no') &&
        command.includes('--callgrind-out-file=/d/valgrind/%p.out'),
    )
  })
})

describe('perf', () => {
  test('counts user space over the processes while a command runs', () => {
    const command = underPerf(['hey', 'url'], [3, 4], '/d/perf.csv').join(' ')
    assert.equal(command, 'perf stat -x , -e instructions:u -o /d/perf.csv -p 3,4 -- hey url')
  })

  test('is read from its list; an unsupported counter is no result', () => {
    assert.equal(instructionsCounted('# started on Tue\n\n5081,,instructions:u,1000,100.00,,\n'), 5081)
    assert.equal(instructionsCounted('<not supported>,,instructions:u,0,100.00,,\n'), undefined)
    assert.equal(instructionsCounted('<not counted>,,instructions:u,0,0.00,,\n'), undefined)
    assert.equal(instructionsCounted('0,,instructions:u,0,0.00,,\n'), undefined)
  })
})
