/** Paths that lead out of a directory. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileInside } from '../../../system/inside.ts'

describe('a file of a checkout that is opened here', () => {
  const root = mkdtempSync(join(tmpdir(), 'apb-unit-'))
  after(() => rmSync(root, { recursive: true }))
  const checkout = join(root, 'checkout')
  mkdirSync(join(checkout, 'docker'), { recursive: true })
  writeFileSync(join(checkout, 'docker/Dockerfile'), 'FROM x\n')
  writeFileSync(join(root, 'outside'), 'secret')
  symlinkSync('docker/Dockerfile', join(checkout, 'Dockerfile'))
  symlinkSync('/proc/self/environ', join(checkout, 'environ'))
  symlinkSync('/proc/self', join(checkout, 'self'))
  symlinkSync('../outside', join(checkout, 'beside'))
  symlinkSync('nothing', join(checkout, 'dangling'))

  test('may be a link within it', () => {
    assert.equal(fileInside(checkout, 'docker/Dockerfile'), join(checkout, 'docker/Dockerfile'))
    assert.equal(fileInside(checkout, 'Dockerfile'), join(checkout, 'docker/Dockerfile'))
    assert.equal(fileInside(checkout, 'none'), undefined)
  })
  test('never leads out of it, by itself or by a directory on its way', () => {
    for (const name of ['environ', 'self/environ', 'beside', '../outside', 'dangling', 'docker']) {
      assert.throws(() => fileInside(checkout, name), { name: 'InputError' }, name)
    }
    assert.throws(
      () => fileInside(checkout, 'environ'),
      /^InputError: environ: found a link that leads outside the checkout\. Allowed: a file of the repository/,
    )
  })
})
