/** The files of a run after its end, and the directories that killed jobs left. */
import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { emptyFiles, removeLeftovers } from '../../../system/scratch.ts'

describe('files of a run', () => {
  test('lose their content and keep their names; nothing outside is touched', () => {
    const directory = mkdtempSync(join(tmpdir(), 'files-'))
    try {
      const [run, outside] = [join(directory, 'run'), join(directory, 'outside')]
      mkdirSync(join(run, 'deeper'), { recursive: true })
      for (const file of [outside, join(run, 'a.pdf'), join(run, 'deeper', 'b.xml')]) writeFileSync(file, 'content')
      symlinkSync(outside, join(run, 'link'))
      emptyFiles(run)
      assert.deepEqual(
        [join(run, 'a.pdf'), join(run, 'deeper', 'b.xml'), outside].map((file) => readFileSync(file, 'utf8')),
        ['', '', 'content'],
      )
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})

const NOBODY = 65534
const skip = process.getuid?.() === 0 ? false : 'only root can be two users'

describe('directories of killed jobs', () => {
  test('are removed if they are of this user; those of another user stop no job', { skip }, () => {
    const parent = mkdtempSync(join(tmpdir(), 'leftovers-'))
    try {
      // As the system's temporary directory.
      chmodSync(parent, 0o1777)
      const [theirs, own] = [join(parent, 'async-php-bench-theirs'), join(parent, 'async-php-bench-own')]
      for (const directory of [theirs, own]) {
        mkdirSync(directory, { mode: 0o700 })
        utimesSync(directory, 0, 0)
      }
      chownSync(own, NOBODY, NOBODY)
      assert.deepEqual(
        asUser(NOBODY, () => removeLeftovers([parent])),
        [own],
      )
      assert.deepEqual(readdirSync(parent), ['async-php-bench-theirs'])
      assert.deepEqual(removeLeftovers([parent]), [theirs], 'root removes those of every user')
    } finally {
      rmSync(parent, { recursive: true })
    }
  })
})

function asUser<T>(id: number, work: () => T): T {
  process.seteuid?.(id)
  try {
    return work()
  } finally {
    process.seteuid?.(0)
  }
}
