/** A job that is killed hard. Any job that begins clears what it left, so no other one may begin meanwhile. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { config, expectFault } from '../broken.ts'
import { CLI, cli, eventually, leftovers, repository } from '../harness.ts'

test('what a job that was killed hard has left is cleared by the next one', async () => {
  const directory = await repository({ base: config() })
  const options = ['--workspace', directory, '--config', 'bench.yml', '--out', join(directory, 'out')]
  const child = spawn(process.execPath, [CLI, 'run', ...options])
  let output = ''
  child.stderr.on('data', (chunk) => (output += chunk))
  // The servers of the second mode run.
  await eventually(
    () => output,
    (text) => text.includes('pilot: '),
    120_000,
  )
  child.kill('SIGKILL')
  await sleep(200)
  assert.notDeepEqual(await leftovers(), [])
  expectFault(await cli(['plan', ...options]), 0, /removed the leftovers of a killed job/)
  assert.deepEqual(await leftovers(), [])
})
