/** A job that was asked to stop while it looked up what the machine has. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { provision } from '../../../provision/provision.ts'

test('installs nothing: a signal ends the commands that look things up, too', async () => {
  const said: string[] = []
  const options = { yes: true, say: (line: string) => void said.push(line), signal: AbortSignal.abort() }
  const scope = { engine: 'git', modes: [], database: { from: 'none' }, report: false, composer: false } as const
  const { PATH } = process.env
  process.env.PATH = ''
  try {
    await assert.rejects(provision({ ...scope, modes: [] }, options), { name: 'Cancelled' })
  } finally {
    process.env.PATH = PATH
  }
  assert.deepEqual(said, [])
})
