/** The verdicts that get a new comment, by each `comment:`. An existing comment never keeps an old alarm. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Analysis, Verdict } from '../../../analyse/analyse.ts'
import { exitCodeOf, invalidOutcome, type Outcome } from '../../../analyse/outcome.ts'
import { type CommentApi, marker, postComment } from '../../../publish/comment.ts'
import { asksForComment, type LoudnessRules } from '../../../publish/loudness.ts'

const judged = (verdict: Verdict, cells: string[] = [verdict, verdict], more: Partial<Outcome> = {}, warnings: string[] = []): Outcome => ({
  verdict,
  reasons: [],
  parts: { analysis: '' },
  exitCode: exitCodeOf(verdict),
  analysis: { cells: cells.map((cell) => ({ verdict: cell })), warnings } as Analysis,
  coverage: { gated: 2, of: 2 },
  ...more,
})
const rules = (comment: LoudnessRules['comment'], more: Partial<LoudnessRules> = {}): LoudnessRules => ({
  comment,
  'on-inconclusive': 'warn',
  'on-not-gated': 'warn',
  ...more,
})

describe('a pull request without a comment', () => {
  const pass = judged('pass')
  const accepted = { by: 'somebody', at: '2026-11-23T00:00:00Z' }
  // The outcome, and whether on-change and on-alert ask for a comment.
  const cases: [string, Outcome, boolean, boolean][] = [
    ['a pass in every cell', pass, false, false],
    ['a pass with a cell that base does not have', judged('pass', ['pass', 'new']), true, false],
    ['a pass in which a cell only looks slower', judged('pass', ['pass', 'sync-improved']), true, false],
    ['a pass with a warning', judged('pass', ['pass', 'pass'], {}, ['`swoole` grows']), true, true],
    ['a pass of some cells', judged('pass', ['pass', 'not-gated'], { coverage: { gated: 1, of: 2 } }), true, true],
    ['an inconclusive verdict', judged('inconclusive', ['pass', 'inconclusive']), true, false],
    ['a regression', judged('regressed', ['pass', 'regressed']), true, true],
    ['an accepted regression', judged('regressed', ['pass', 'regressed'], { accepted }), true, true],
    ['nothing gated', judged('not-gated'), true, true],
    ['a measurement that failed', invalidOutcome('no server'), true, true],
  ]
  for (const [what, outcome, onChange, onAlert] of cases) {
    test(`gets a comment on ${what}: always${onChange ? ', on-change' : ''}${onAlert ? ', on-alert' : ''}`, () => {
      const modes = ['always', 'on-change', 'on-alert'] as const
      assert.deepEqual(
        modes.map((mode) => asksForComment(outcome, rules(mode))),
        [true, onChange, onAlert],
      )
    })
  }

  test('gets a comment on an inconclusive verdict as an alert if it fails the job', () => {
    assert.equal(asksForComment(judged('inconclusive'), rules('on-alert', { 'on-inconclusive': 'fail' })), true)
  })
  test('gets a comment as an alert if nothing was gated, unless that passes', () => {
    const asks = (on: 'pass' | 'warn' | 'fail') => asksForComment(judged('not-gated'), rules('on-alert', { 'on-not-gated': on }))
    assert.deepEqual([asks('pass'), asks('warn'), asks('fail')], [false, true, true])
  })
})

test('an existing comment is updated even if no new one is asked for', async () => {
  const stored = [{ id: 1, body: `${marker('default', 1)}\nregressed`, user: { login: 'bot' } }]
  const api: CommentApi = {
    list: async () => stored,
    create: async () => assert.fail('created'),
    update: async (id, body) => {
      for (const comment of stored) if (comment.id === id) comment.body = body
    },
    author: async () => 'bot',
    isSuperseded: async () => true,
  }
  assert.equal(await postComment(api, 'default', 2, `${marker('default', 2)}\npass`, false), 'updated')
  assert.match(stored[0]?.body ?? '', /run:2[\s\S]*pass/)
  assert.equal(await postComment(api, 'other', 2, 'x', false), 'not-needed')
  assert.equal(await postComment(api, 'default', 1, 'older', false), 'newer-exists')
})
