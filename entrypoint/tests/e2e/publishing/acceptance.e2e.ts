/** The label that accepts a regression: for which commit, after which comment, and from whom it counts. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Verdict } from '../../../analyse/analyse.ts'
import { findAcceptance } from '../../../publish/accept.ts'
import { renderComment } from '../../../publish/comment.ts'
import { comment } from '../../../publish/comments.ts'
import { outcome, REPOSITORY, startPublishing } from './publishing.ts'
import { testWritten } from './written.ts'

const { api, client, say, said, newIssue } = await startPublishing()

describe('a regression', () => {
  const [sha, other] = ['a'.repeat(40), 'b'.repeat(40)]
  const label = 'slower is fine'

  /** Shows the verdict of a run on a pull request. */
  const show = (number: number, verdict: Verdict, more: { run?: number; head?: string; regressed?: string | undefined } = {}) => {
    const { run = 1, head = sha, regressed } = more
    const measured = { pull: { number, headSha: sha }, key: 'default', run }
    return comment(client, REPOSITORY, measured, outcome(verdict), { head, verdict, regressed })
  }
  /** A pull request with our comment, as the next run finds it. */
  async function shown(verdict: Verdict = 'regressed'): Promise<number> {
    const number = await newIssue()
    await show(number, verdict)
    return number
  }
  const accepted = async (number: number, more: { headSha?: string; author?: string; mayBeAuthor?: boolean } = {}) => {
    const { headSha = sha, author = 'stranger', mayBeAuthor = false } = more
    const pull = { number, headSha, base: 'main', author }
    return findAcceptance({ api: client, repository: REPOSITORY, pull, key: 'default', run: 9, label, mayBeAuthor, say })
  }
  const put = (number: number) => api.call('POST', `/repos/gate-bot/app/issues/${number}/labels`, { labels: [label, 'other'] })
  const move = (number: number, event: string, seconds: number): void =>
    void api.events.set(number, [
      { event, created_at: new Date(Date.now() + seconds * 1000).toISOString(), actor: { login: 'stranger', type: 'User' } },
    ])
  before(() => api.permissions.set('somebody', 'write'))

  test('is accepted only by a label that was added after its publication for this commit', async () => {
    const number = await shown()
    assert.equal((await accepted(number)).accepted, undefined, 'no label')
    await put(number)
    assert.equal((await accepted(number)).accepted?.by, 'somebody')
    assert.equal((await accepted(number, { headSha: other })).accepted, undefined, 'a later commit')
    await api.call('DELETE', `/repos/gate-bot/app/issues/${number}/labels/slower%20is%20fine`)
    assert.equal((await accepted(number)).accepted, undefined, 'taken off')
  })

  test('is not accepted by a label from before its publication', async () => {
    const number = await newIssue()
    await put(number)
    assert.equal((await accepted(number)).accepted, undefined, 'no comment')
    await show(number, 'regressed')
    assert.equal((await accepted(number)).accepted, undefined, 'a label from before the comment')
    assert.match(said(), /label "slower is fine" of somebody .* accepts nothing: it was not added after a regression of a{40}/)
    for (const verdict of ['pass', 'inconclusive', 'invalid'] as const) {
      const another = await shown(verdict)
      await put(another)
      assert.equal((await accepted(another)).accepted, undefined, verdict)
    }
  })

  test("is not accepted on the basis of somebody else's comment", async () => {
    const number = await newIssue()
    const body = renderComment('default', 1, 'x', '', { head: sha, verdict: 'regressed', regressed: '2020-01-01T00:00:00Z' })
    await api.call('POST', `/repos/gate-bot/app/issues/${number}/comments`, { body })
    await put(number)
    assert.equal((await accepted(number)).accepted, undefined)
  })

  test('stays accepted if the same commit is measured again, but not for another commit', async () => {
    const number = await shown()
    await put(number)
    for (const run of [1, 2, 3]) {
      const { accepted: by, since } = await accepted(number)
      assert.equal(by?.by, 'somebody', `run ${run}`)
      await show(number, 'regressed', { run, regressed: since })
    }
    await show(number, 'regressed', { run: 4, head: other })
    assert.equal((await accepted(number)).accepted, undefined)
    assert.equal((await accepted(number, { headSha: other })).accepted, undefined)
  })

  for (const event of ['head_ref_force_pushed', 'head_ref_restored', 'base_ref_changed']) {
    test(`is not accepted by a label from before ${event}, which hides the commit that it was for`, async () => {
      const number = await shown()
      move(number, event, -60)
      await put(number)
      assert.ok((await accepted(number)).accepted, 'moved before it was published')
      move(number, event, 60)
      assert.equal((await accepted(number)).accepted, undefined, 'moved since')
    })
  }

  test('is accepted by people who may write, but not by the author or a bot', async () => {
    const number = await shown()
    await put(number)
    assert.equal((await accepted(number, { author: 'Somebody' })).accepted, undefined)
    assert.equal((await accepted(number, { author: '' })).accepted, undefined, 'unknown author')
    assert.equal((await accepted(number, { author: 'somebody', mayBeAuthor: true })).accepted?.by, 'somebody')
    for (const [permission, may] of [
      ['read', false],
      ['none', false],
      ['write', true],
      ['admin', true],
    ] as const) {
      api.permissions.set('somebody', permission)
      assert.equal((await accepted(number)).accepted !== undefined, may, permission)
    }
    api.permissions.set('somebody', 'write')
    for (const actor of [
      { login: 'labels[bot]', type: 'User' },
      { login: 'robot', type: 'Bot' },
    ]) {
      api.permissions.set(actor.login, 'admin')
      const created_at = new Date(Date.now() + 5000).toISOString()
      api.events.set(number, [{ event: 'labeled', created_at, actor, label: { name: label } }])
      assert.equal((await accepted(number, { mayBeAuthor: true })).accepted, undefined, actor.login)
    }
    assert.match(said(), /the author of the pull request cannot accept it[\s\S]*found "read"[\s\S]*a bot cannot accept/)
  })
})

testWritten(api, ['PATCH /repos/gate-bot/app/issues/comments/N', 'POST /repos/gate-bot/app/issues/N/comments'])
