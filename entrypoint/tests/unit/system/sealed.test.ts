/** A directory with a list of its files. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { seal, sealFault } from '../../../system/sealed.ts'

describe('a sealed directory', () => {
  let directory = ''
  const path = (name: string): string => join(directory, name)
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'apb-unit-'))
    writeFileSync(path('x.so'), 'code')
    seal(directory)
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  test('is unchanged', () => assert.equal(sealFault(directory), undefined))
  test('shows a changed file', () => {
    writeFileSync(path('x.so'), 'c0de')
    assert.equal(sealFault(directory), 'x.so does not have the SHA-256 that the list names')
  })
  test('shows an additional file', () => {
    writeFileSync(path('y.so'), '')
    assert.equal(sealFault(directory), 'y.so does not have the SHA-256 that the list names')
  })
  test('shows a missing file', () => {
    rmSync(path('x.so'))
    assert.equal(sealFault(directory), 'x.so is missing')
  })
  test('shows a link and a directory', () => {
    rmSync(path('x.so'))
    symlinkSync('/etc/hostname', path('x.so'))
    assert.equal(sealFault(directory), 'x.so is not a file')
    rmSync(path('x.so'))
    mkdirSync(path('x.so'))
    assert.equal(sealFault(directory), 'x.so is not a file')
  })
  test('shows a missing or damaged list', () => {
    writeFileSync(path('manifest.json'), '{"x.so"')
    assert.match(sealFault(directory) as string, /JSON/)
    rmSync(path('manifest.json'))
    assert.match(sealFault(directory) as string, /ENOENT/)
  })
})
