/** Commands that are killed at a time limit. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { apart } from '../../../system/environment.ts'
import { exec } from '../../../system/exec.ts'

describe('a command with a time limit', () => {
  test('ends in time, even if a process that it cannot kill keeps its output open', async () => {
    const began = Date.now()
    // A process in its own session cannot be killed, just like sudo's processes by other users.
    const done = await exec(['sh', '-c', 'echo begun; setsid sleep 9 & sleep 9'], { ...apart(), timeoutMs: 200 })
    assert.ok(Date.now() - began < 7000, `${Date.now() - began} ms`)
    assert.deepEqual([done.code, done.stdout, done.stderr], [137, 'begun\n', 'stopped after 0.2 s'])
  })
  test('is not waited for once it ended', async () => {
    const began = Date.now()
    assert.equal((await exec(['sleep', '9'], { ...apart(), timeoutMs: 200 })).code, 137)
    assert.ok(Date.now() - began < 1600, `${Date.now() - began} ms`)
  })
})
