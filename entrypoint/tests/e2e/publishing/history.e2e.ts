/** The history of gains: a file on a branch that people do not work on, which no job loses. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Outcome } from '../../../analyse/outcome.ts'
import { attempt } from '../../../publish/github.ts'
import { appended, appendHistory, recordOf } from '../../../publish/history.ts'
import { historyBranch } from '../../../publish/history-branch.ts'
import type { HistoryRecord } from '../../../publish/history-record.ts'
import { TOKEN } from '../github-api.ts'
import { noticed, outcome, REPOSITORY, startPublishing } from './publishing.ts'
import { testWritten } from './written.ts'

const { api, client } = await startPublishing()

const PROTECTION = { required_status_checks: null, enforce_admins: true, required_pull_request_reviews: null, restrictions: null }

describe('the history', () => {
  const cell = { workload: 'a', load: 'b', gain_head: 1.5, change: 0.9, change_low: 0.8, change_high: 1 }
  const record = (commit: string): HistoryRecord =>
    recordOf(
      { ...outcome('pass'), analysis: { metric: 'goodput', cells: [cell] } as unknown as Outcome['analysis'] },
      commit,
      new Date(0),
    ) as HistoryRecord
  const file = async (name: string): Promise<string> => {
    const { data } = await api.call('GET', `/repos/gate-bot/app/contents/async-php-bench/${name}?ref=gains`)
    return Buffer.from((data as { content: string }).content, 'base64').toString()
  }

  test('begins, continues, and survives a push of another job at the same time', async () => {
    const append = (commit: string): Promise<void> => appendHistory(client, REPOSITORY, 'gains', 'default', record(commit))
    await append('first')
    await append('second')
    api.faults = [{ method: 'PATCH', path: /git\/refs/, status: 422, body: { message: 'Update is not a fast forward' }, times: 1 }]
    await append('third')
    const lines = (await file('default.jsonl')).trim().split('\n')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).commit),
      ['first', 'second', 'third'],
    )
    assert.match(
      await file('default.html'),
      /<script type="application\/json" id="records">\[\{"time":"1970-01-01T00:00:00\.000Z","commit":"first"/,
    )
  })

  test("is on the branch that the default branch names, and never on people's branches", async () => {
    const head = await api.headOf('main')
    const name = (branch: string) =>
      api.commit(`history on ${branch}`, [head], { branch: 'main', files: { 'bench.yml': `history-branch: ${branch}\n` } })
    const ask = (asked: string, input?: string) => historyBranch(client, REPOSITORY, asked, 'bench.yml', input)
    await api.commit('a release', [head], { branch: 'stable' })
    await api.call('PUT', '/repos/gate-bot/app/branches/stable/protection', PROTECTION, TOKEN)
    await name('gains')
    assert.equal(await ask('gains'), 'gains')
    await assert.rejects(ask('elsewhere'), /found "elsewhere", but the configuration on main says "gains"/)
    assert.equal(await ask('other', 'other'), 'other', 'an input of the workflow')
    await assert.rejects(ask('main', 'main'), /"main" is the default branch/)
    await name('main')
    await assert.rejects(ask('main'), /"main" is the default branch/)
    await name('stable')
    await assert.rejects(ask('stable'), /"stable" is a protected branch/)
    const notice = await noticed(() => attempt('history', 'contents: write', async () => void (await ask('stable'))))
    assert.match(
      notice,
      /::notice::.*history could not be published: history-branch: "stable" is a protected branch\. Allowed: a branch for the history alone\. The verdict stands/,
    )
  })

  test('keeps the newest 500 lines', () => {
    let lines = ''
    for (let i = 0; i < 510; i++) lines = appended(lines, record(`c${i}`))
    assert.equal(lines.trim().split('\n').length, 500)
    assert.ok(lines.startsWith('{"time":"1970-01-01T00:00:00.000Z","commit":"c10"'))
  })
})

testWritten(api, [
  'PATCH /repos/gate-bot/app/git/refs/heads%NFgains',
  'POST /repos/gate-bot/app/git/commits',
  'POST /repos/gate-bot/app/git/refs',
  'POST /repos/gate-bot/app/git/trees',
])
