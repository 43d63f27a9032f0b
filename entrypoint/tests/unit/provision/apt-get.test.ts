/** The faults in apt-get's output. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { faultsIn } from '../../../provision/apt-get.ts'

const STALLED = [
  'W: Failed to fetch http://mirror.test/ubuntu/dists/noble/InRelease  Connection timed out [IP: 10.0.0.1 80]',
  'W: Failed to fetch http://mirror.test/ubuntu/dists/noble-updates/InRelease  Connection timed out [IP: 10.0.0.1 80]',
  'W: Target Packages (main) is configured multiple times',
  'W: Some index files failed to download. They have been ignored, or old ones used instead.',
].join('\n')

describe("apt-get's complaints", () => {
  test('name each mirror once, even if apt-get succeeds', () =>
    assert.deepEqual(faultsIn({ code: 0, stderr: STALLED }), ['http://mirror.test failed: Connection timed out [IP: 10.0.0.1 80]']))
  test('are complete if it failed', () => {
    const stderr = `${STALLED}\nE: Unable to locate package x\n`
    assert.deepEqual(faultsIn({ code: 100, stderr }), [
      'http://mirror.test failed: Connection timed out [IP: 10.0.0.1 80]',
      'Target Packages (main) is configured multiple times',
      'Unable to locate package x',
    ])
  })
  test('are its last lines if it has no errors of its own', () =>
    assert.deepEqual(faultsIn({ code: 1, stderr: 'x\nsudo: a password is required\n' }), ['sudo: a password is required']))
  test('are empty if all went well', () => assert.deepEqual(faultsIn({ code: 0, stderr: '' }), []))
})
