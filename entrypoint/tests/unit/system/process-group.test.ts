/** Process groups: their processes, their usage, and that none of them remains. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ProcessGroup, processes } from '../../../system/process-group.ts'
import { cpuUsOf, memoryKibOf } from '../../../system/process-usage.ts'
import { repetitions } from '../../thorough.ts'

describe('a process group', () => {
  const start = (command: string[]) => ProcessGroup.start(command, { cwd: '/', env: { PATH: process.env.PATH ?? '' }, log: '/dev/null' })

  /** Waits up to ten seconds until the group has this many processes. The test checks the number. */
  const hasProcesses = async (group: ProcessGroup, count: number): Promise<void> => {
    for (let look = 0; look < 500 && group.pids().length !== count; look++) await sleep(20)
  }

  test('is killed while it starts processes, and none of them remains', async () => {
    // The larger a process, the longer its fork takes, and the likelier it is killed during one.
    const forks = ['perl', '-e', '$x = "a" x 2e8; for (1 .. 1000) { fork or do { sleep 60; exit } } sleep 60']
    for (let round = 0; round < repetitions(20); round++) {
      const group = await start(forks)
      for (let look = 0; look < 500 && group.pids().length < 4; look++) await sleep(10)
      group.kill()
      // On a busy machine a killed process needs time to end. A missed process sleeps for a minute.
      await hasProcesses(group, 0)
      const left = group.pids()
      for (const pid of left) process.kill(pid, 'SIGKILL')
      assert.deepEqual(left, [])
    }
  })

  test('ends with all its processes, even those that ignore SIGTERM', async () => {
    const group = await start(['sh', '-c', 'sh -c "trap \\"\\" TERM; sleep 60 & wait; sleep 60" & wait'])
    await hasProcesses(group, 3)
    await group.stop(200)
    assert.deepEqual(group.pids(), [])
  })
  test('keeps processes in their own session, even if their parent ends, as with php-fpm', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'group-'))
    const group = await start([
      'sh',
      '-c',
      `setsid sh -c "setsid sleep 60 & until [ -e ${directory}/go ]; do sleep 0.1; done" & sleep 60; :`,
    ])
    await hasProcesses(group, 5)
    writeFileSync(join(directory, 'go'), '')
    await hasProcesses(group, 3)
    rmSync(directory, { recursive: true })
    const left = group.pids()
    assert.equal(left.length, 3, 'the first shell and the long sleeps')
    await group.stop(200)
    assert.ok(!processes().some(({ pid, state }) => left.includes(pid) && state !== 'Z'))
  })
  test('has its CPU time measured', async () => {
    const group = await start(['sh', '-c', 'while :; do :; done'])
    const started = performance.now()
    await sleep(300)
    const [cpuUs, memoryKib] = [cpuUsOf(group.pids()), memoryKibOf(group.pids())]
    const wallUs = (performance.now() - started) * 1000
    await group.stop()
    assert.ok(cpuUs > 50_000 && cpuUs < wallUs + 100_000, `${cpuUs} of ${wallUs}`)
    assert.ok(memoryKib > 50, String(memoryKib))
  })
  test('has the CPU time of children that have ended', async () => {
    const group = await start(['sh', '-c', '(i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done); sleep 60; :'])
    for (let look = 0; look < 500 && cpuUsOf([group.pid]) < 50_000; look++) await sleep(20)
    const cpuUs = cpuUsOf([group.pid])
    await group.stop()
    assert.ok(cpuUs >= 50_000, `${cpuUs} us of the shell that waited`)
  })
  test('reports why a command cannot be started', () => assert.rejects(start(['/nowhere/x']), /ENOENT/))
})
