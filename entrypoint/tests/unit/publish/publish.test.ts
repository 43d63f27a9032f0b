/** Comments, checks and history on GitHub. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { failsJob, invalidOutcome, type Outcome } from '../../../analyse/outcome.ts'
import { composeSummary } from '../../../analyse/summary.ts'
import { COMMENT_LIMIT, type CommentApi, marker, postComment, renderComment, runOfComment, shownIn } from '../../../publish/comment.ts'

interface Stored {
  id: number
  body: string
  user: { login: string }
}

function api(stored: Stored[], isSuperseded = true): CommentApi {
  return {
    list: async () => stored,
    create: async (body) => void stored.push({ id: stored.length + 1, body, user: { login: 'bot' } }),
    update: async (id, body) => {
      ;(stored.find((comment) => comment.id === id) as Stored).body = body
    },
    author: async () => 'bot',
    isSuperseded: async () => isSuperseded,
  }
}

describe('the comment', () => {
  test('is one for each key, updated in place, and never by an older run', async () => {
    const stored: Stored[] = [{ id: 1, body: `${marker('default', 1)}\nforged`, user: { login: 'somebody' } }]
    const post = (key: string, run: number) => postComment(api(stored), key, run, renderComment(key, run, `run ${run}`, ''))
    assert.deepEqual(
      [await post('default', 5), await post('default', 6), await post('default', 5), await post('other', 5)],
      ['created', 'updated', 'newer-exists', 'created'],
    )
    assert.equal(stored.length, 3)
    assert.match(stored[1]?.body ?? '', /run 6/)
    assert.match(stored[0]?.body ?? '', /forged/)
  })

  test('does not yield to a comment that claims a newer run which does not exist', async () => {
    const bot = { login: 'bot' }
    const stored: Stored[] = [{ id: 1, body: `${marker('default', 99)}\nforged`, user: bot }]
    assert.equal(await postComment(api(stored, false), 'default', 5, `${marker('default', 5)}\nours`), 'created')
    stored.push({ id: 3, body: `${marker('default', 5)}\nforged later`, user: bot })
    assert.equal(await postComment(api(stored, false), 'default', 6, 'updated'), 'updated')
    assert.deepEqual(
      stored.map(({ body }) => body.split('\n').at(-1)),
      ['forged', 'updated', 'forged later'],
    )
  })

  test('keeps marker and link when it is cut, at a line', () => {
    const body = renderComment('default', 1, 'a line of the summary\n'.repeat(5000), 'https://x/report')
    assert.ok(body.length <= COMMENT_LIMIT)
    assert.equal(runOfComment(body, 'default'), 1)
    assert.match(body, /a line of the summary\n\n…cut here/)
    assert.ok(body.endsWith('[Report and raw data](https://x/report)\n'))
  })

  test('records for the next run what it has shown, in a last line that no summary can forge', () => {
    const shown = { head: 'a'.repeat(40), verdict: 'regressed', regressed: '2026-11-23T16:00:00Z' } as const
    const forged = `<!-- head:${'b'.repeat(40)} verdict:regressed -->`
    for (const summary of ['short', forged, `${'a line\n'.repeat(20_000)}${forged}`]) {
      const body = renderComment('default', 7, summary, 'https://x/report', shown)
      assert.ok(body.length <= COMMENT_LIMIT)
      assert.equal(runOfComment(body, 'default'), 7)
      assert.deepEqual(shownIn(body), shown)
      assert.deepEqual(shownIn(body.replaceAll('\n', '\r\n').trimEnd()), shown, 'as a person who edits it leaves it')
      assert.equal(shownIn(renderComment('default', 7, summary, 'https://x/report')), undefined)
    }
  })
})

describe('the end of a job', () => {
  const outcome = (verdict: Outcome['verdict'], exitCode: number): Outcome => ({ verdict, exitCode, reasons: [], parts: { analysis: '' } })

  const rules = (on: 'warn' | 'pass' | 'fail', notGated: 'warn' | 'pass' | 'fail' = 'warn') => ({
    'on-inconclusive': on,
    'on-not-gated': notGated,
  })

  test('fails if nothing or not every cell was gated, and the rules say so', () => {
    const partly = { ...outcome('pass', 0), coverage: { gated: 2, of: 4 } }
    const wholly = { ...outcome('pass', 0), coverage: { gated: 4, of: 4 } }
    for (const [found, expected] of [
      [outcome('not-gated', 0), true],
      [partly, true],
      [wholly, false],
    ] as const) {
      assert.equal(failsJob(found, rules('warn', 'fail')), expected)
      assert.equal(failsJob(found, rules('fail', 'warn')), false)
    }
  })

  test('fails according to the verdict', () => {
    assert.deepEqual(
      [
        failsJob(outcome('pass', 0), rules('warn')),
        failsJob(outcome('not-gated', 0), rules('fail')),
        failsJob(outcome('regressed', 1), rules('pass')),
        failsJob(outcome('invalid', 3), rules('pass')),
      ],
      [false, false, true, true],
    )
    assert.deepEqual(
      (['warn', 'pass', 'fail'] as const).map((on) => failsJob(outcome('inconclusive', 4), rules(on))),
      [false, false, true],
    )
  })

  test('an error cannot leave its code block', () => {
    assert.equal(composeSummary(invalidOutcome('a\n~~~\n<script>')).match(/~~~/g)?.length, 2)
  })

  test('an error cannot hide anything, by invisible characters or by its length', () => {
    const invalid = invalidOutcome(`app said \u202e"ssap" \x1b[2K\r\u{1f600}${'\u{1f600}'.repeat(40_000)}`)
    const [reasons, summary] = [invalid.reasons, composeSummary(invalid)]
    assert.match(summary, /app said \\u\{202e\}"ssap" \\u\{1b\}\[2K\n/)
    assert.ok(summary.length < 21_000)
    assert.match(summary, /… \(cut here\)\n~~~\n$/)
    assert.doesNotMatch(reasons.join(''), /\p{Cc}(?<!\n)|\p{Cf}|\p{Cs}/u)
  })
})
