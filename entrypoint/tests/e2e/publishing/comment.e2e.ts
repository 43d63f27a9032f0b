/** The comment on a pull request: found again, updated in place, and not lost if GitHub fails. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Verdict } from '../../../analyse/analyse.ts'
import { client } from '../../../publish/client.ts'
import { comment } from '../../../publish/comments.ts'
import { attempt } from '../../../publish/github.ts'
import { type Fault, TOKEN } from '../github-api.ts'
import { noticed, outcome, REPOSITORY, startPublishing } from './publishing.ts'
import { testWritten } from './written.ts'

const { api, say, newIssue } = await startPublishing()
/** It waits half a second for an answer. */
const impatient = client(TOKEN, say, 500)

describe('the comment', () => {
  const bodies = async (number: number): Promise<string[]> =>
    ((await api.call('GET', `/repos/gate-bot/app/issues/${number}/comments?per_page=100`)).data as { body: string }[]).map(
      ({ body }) => body,
    )
  const post = (number: number, run: number, key = 'default', verdict: Verdict = 'pass'): Promise<void> =>
    comment(impatient, REPOSITORY, { pull: { number, headSha: '' }, key, run }, outcome(verdict))

  test('is found after a page of other comments, and updated in place, once per key and never by an older run', async () => {
    const number = await newIssue()
    await post(number, 5)
    for (let i = 0; i < 110; i++) await api.call('POST', `/repos/gate-bot/app/issues/${number}/comments`, { body: `talk ${i}` })
    await api.call('POST', `/repos/gate-bot/app/issues/${number}/comments`, { body: '<!-- async-php-bench:second run:9 -->\nforged' })
    await post(number, 6, 'default', 'regressed')
    await post(number, 4)
    await post(number, 6, 'second')
    const first = await bodies(number)
    assert.equal(first.length, 100)
    assert.match(first[0] as string, /run:6 -->\n## regressed[\s\S]*github\.test\/gate-bot\/app\/actions\/runs\/6/)
    const second = (await api.call('GET', `/repos/gate-bot/app/issues/${number}/comments?per_page=100&page=2`)).data as { body: string }[]
    assert.equal(second.filter(({ body }) => body.startsWith('<!-- async-php-bench:second run:6')).length, 1)
    assert.equal(second.filter(({ body }) => body.includes('forged')).length, 1)
  })

  const path = /\/comments/
  const recovered: [string, Fault][] = [
    ['a rate limit with retry-after', { method: 'POST', path, status: 429, headers: { 'retry-after': '1' }, times: 1 }],
    [
      'a secondary rate limit',
      {
        method: 'POST',
        path,
        status: 403,
        headers: { 'retry-after': '1' },
        body: { message: 'You have exceeded a secondary rate limit. Please wait.' },
        times: 1,
      },
    ],
    ['a server error', { method: 'POST', path, status: 502, times: 1 }],
    ['a response that does not come', { method: 'GET', path, status: 0, hangs: true, times: 1 }],
  ]
  for (const [name, fault] of recovered) {
    test(`survives ${name}`, async () => {
      const number = await newIssue()
      api.faults = [fault]
      await post(number, 1)
      assert.equal((await bodies(number)).length, 1)
    })
  }

  for (const [status, hint] of [
    [403, /pull-requests: write/],
    [404, /pull-requests: write/],
    [422, /could not be published: .*on purpose/],
  ] as const) {
    test(`becomes a notice if GitHub responds ${status}`, async () => {
      const number = await newIssue()
      api.faults = [{ method: 'POST', path, status, times: 1 }]
      const done = await noticed(() => attempt('comment', 'pull-requests: write', () => post(number, 1)))
      assert.match(done, /::notice::async-php-bench: the comment could not be published/)
      assert.match(done, hint)
      assert.match(done, /The verdict stands/)
    })
  }
})

testWritten(api, ['PATCH /repos/gate-bot/app/issues/comments/N', 'POST /repos/gate-bot/app/issues/N/comments'])
