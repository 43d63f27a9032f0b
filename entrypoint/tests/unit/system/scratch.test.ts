/** The files of a run after its end. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { emptyFiles } from '../../../system/scratch.ts'

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
