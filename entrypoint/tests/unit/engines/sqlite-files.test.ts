/** Each arm has a fresh copy of the state after setup in every run, and no process finds setup's own file. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import type { Arm, Mode } from '../../../config/experiment.ts'
import { modesOf } from '../../../config/modes.ts'
import { parseConfig } from '../../../config/parse.ts'
import { SqliteFiles } from '../../../engines/host/sqlite-files.ts'

const parent = mkdtempSync(join(tmpdir(), 'apb-sqlite-'))
after(() => rmSync(parent, { recursive: true }))

const [fpm, fibers] = modesOf(parseConfig('modes: [fpm, fibers]', 'c.yml')) as [Mode, Mode]
const arm = (revision: Arm['revision'], mode: Mode): Arm => ({ revision, mode })

test("copies the state after setup, and never a run's changes", () => {
  const files = new SqliteFiles(parent, false)
  const ofSetup = files.create('head')
  assert.equal(readFileSync(ofSetup, 'utf8'), '')
  writeFileSync(ofSetup, 'rows')
  writeFileSync(`${ofSetup}-wal`, 'a log that was not checked in')
  files.keep('head')
  assert.equal(existsSync(dirname(ofSetup)), false)

  const first = files.copy(arm('head', fpm))
  const other = files.copy(arm('head', fibers))
  assert.notEqual(first, other)
  assert.deepEqual([readFileSync(first, 'utf8'), readFileSync(`${other}-wal`, 'utf8')], ['rows', 'a log that was not checked in'])
  writeFileSync(first, 'more rows')
  writeFileSync(`${first}-shm`, 'x')
  assert.equal(readFileSync(other, 'utf8'), 'rows')

  assert.equal(files.copy(arm('head', fpm)), first)
  assert.equal(readFileSync(first, 'utf8'), 'rows')
  assert.equal(existsSync(`${first}-shm`), false)
  files.remove()
  assert.equal(existsSync(first), false)
})

test('base and head share no file', () => {
  const files = new SqliteFiles(parent, false)
  for (const revision of ['base', 'head'] as const) {
    writeFileSync(files.create(revision), revision)
    files.keep(revision)
  }
  for (const revision of ['base', 'head'] as const) assert.equal(readFileSync(files.copy(arm(revision, fpm)), 'utf8'), revision)
})
