/** The check on a commit: what it concludes, and what its title says about trust. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Verdict } from '../../../analyse/analyse.ts'
import { conclusionOf, createCheck, type Standing } from '../../../publish/check.ts'
import { outcome, REPOSITORY, startPublishing } from './publishing.ts'
import { testWritten } from './written.ts'

const { api, client } = await startPublishing()

describe('a check', () => {
  const rulesOf = (on: 'warn' | 'fail' | 'pass') => ({ 'on-inconclusive': on, 'on-not-gated': on }) as const
  const worth = (verdict: Verdict, more: Partial<Standing> = {}, on: 'warn' | 'fail' | 'pass' = 'warn') =>
    conclusionOf(outcome(verdict), rulesOf(on), { isFork: false, others: [], gaps: [], ...more })

  test('satisfies branch protection only if this pull request was measured with code of people who may push', () => {
    assert.deepEqual([worth('pass'), worth('not-gated'), worth('inconclusive')], ['success', 'neutral', 'neutral'])
    assert.deepEqual([worth('inconclusive', {}, 'pass'), worth('inconclusive', {}, 'fail')], ['success', 'failure'])
    assert.equal(worth('pass', { gaps: ['8 of 10 blocks'] }), 'neutral')
    const partly = { ...outcome('pass'), coverage: { gated: 1, of: 2 } }
    const standing = { isFork: false, others: [], gaps: ['1 of 2 cells gated'] }
    assert.deepEqual(
      (['warn', 'fail'] as const).map((on) => conclusionOf(partly, rulesOf(on), standing)),
      ['neutral', 'failure'],
    )
    assert.equal(worth('not-gated', {}, 'fail'), 'failure')
    for (const more of [{ isFork: true }, { others: [7] }]) {
      for (const verdict of ['pass', 'not-gated', 'inconclusive'] as const) assert.equal(worth(verdict, more, 'pass'), 'action_required')
      for (const verdict of ['regressed', 'invalid'] as const) assert.equal(worth(verdict, more), 'failure')
    }
    const accepted = { ...outcome('regressed'), accepted: { by: 'a', at: 'b' } }
    assert.equal(conclusionOf(accepted, rulesOf('warn'), { isFork: false, others: [], gaps: [] }), 'success')
    assert.equal(conclusionOf(accepted, rulesOf('warn'), { isFork: true, others: [], gaps: [] }), 'action_required')
  })

  test('says in its title how far the verdict can be trusted', async () => {
    const standing = { isFork: true, others: [7], gaps: [] }
    const request = {
      key: 'default',
      headSha: 'e'.repeat(40),
      outcome: outcome('pass'),
      rules: rulesOf('warn'),
      link: 'https://x/1',
    } as const
    await createCheck(client, REPOSITORY, { ...request, standing })
    const body = api.written.findLast(({ path }) => path.endsWith('/check-runs'))?.body as { output: { title: string } }
    assert.equal(
      body.output.title,
      "pass; not verified: the fork's code ran on the machine that measured this; not for #7, with the same head and another base: because",
    )
  })
})

testWritten(api, ['POST /repos/gate-bot/app/check-runs'])
