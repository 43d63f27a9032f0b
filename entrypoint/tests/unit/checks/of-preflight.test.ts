/** Preflight's findings as rows of the table. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ofPreflight } from '../../../checks/of-preflight.ts'
import { modesOf } from '../../../config/modes.ts'
import { parseConfig } from '../../../config/parse.ts'

test('each revision has a row for answers, and one for waiting if it was measured', () => {
  const [, fibers] = modesOf(parseConfig('modes: [fpm, fibers]', 'test.yml'))
  if (!fibers) assert.fail('no mode')
  const servers = {
    'head/fibers': { waits_overlap: false, waits: 16, waits_ms: 812 },
    'base/fibers': { waits_overlap: true, waits: 16, waits_ms: 60 },
  }
  const rows = ofPreflight({ servers, statements: {}, loaded: {}, warnings: [], newInHead: new Set() }, [fibers], ['base', 'head'])
  assert.deepEqual(
    rows.map(({ check, revision, state, isNew }) => [check, revision, state, isNew]),
    [
      ['answers', 'base', 'held', false],
      ['waiting', 'base', 'held', false],
      ['answers', 'head', 'held', false],
      ['waiting', 'head', 'not-checked', false],
    ],
  )
  assert.match(rows[3]?.sentence ?? '', /^16 waits of usleep\(\) side by side took 812 ms; the mode does not promise/)
})
