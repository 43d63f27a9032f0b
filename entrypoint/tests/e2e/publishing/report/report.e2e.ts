/** `report` on the artifact of another run: where its verdict appears, whose comment it replaces, and how a label accepts it. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { TOKEN } from '../../github-api.ts'
import { atRate, isJudged, replaced, samples } from '../recorded.ts'
import { CONFIG, isRefused, OWN, startReporting } from './reporting.ts'

const { api, commits, nextRun, newPull, data, misfit, report } = await startReporting()
const { old, head } = commits

describe('the report of another run', () => {
  test("comments on a fork's pull request, uses only numbers of run.json, and sets a check that satisfies no branch protection", async () => {
    const loud = { warnings: ['<img src=x onerror=alert(1)> @everyone'], gate: { alpha: 0.5 } }
    const done = await report(data(samples(), loud))
    assert.match(done.comments[0] ?? done.log, /async-php-bench:default run:\d+ -->\n## .*Pass/)
    assert.deepEqual([done.checks[0]?.conclusion, done.checks[0]?.head_sha], ['action_required', head])
    assert.match(done.checks[0]?.output.title ?? '', /^pass; not verified: the fork's code ran on the machine that measured this: /)
    assert.doesNotMatch(done.comments[0] ?? '', /onerror|everyone/)
    const file = readdirSync(done.temp, { recursive: true }).find((name) => String(name).endsWith('report.html'))
    assert.doesNotMatch(readFileSync(join(done.temp, String(file)), 'utf8'), /onerror=alert/)
  })

  test('sets the check that can be required for our own branch, also if head was measured without a merge', async () => {
    const unmerged = data(samples(), { commits: { head, base: old }, looks: 2 })
    const done = await report(unmerged, { from: OWN, config: `${CONFIG}blocks: 10\n` })
    assert.equal(done.checks[0]?.conclusion, 'success', done.log)
    assert.match(done.checks[0]?.output.title ?? '', /^pass: The gain/)
    const analysis = JSON.parse(readFileSync(join(done.temp, 'async-php-bench-results', 'analysis.json'), 'utf8'))
    assert.equal(analysis.looks, 1, 'a fixed number of blocks is looked at once, whatever run.json says')
  })

  test('publishes nothing if the pull request has moved on', async () => {
    const done = await report(data(), { from: OWN, pulls: [] })
    assert.match(done.log, /No open pull request has the head [0-9a-f]{40}: it has moved on or was closed/)
    assert.deepEqual([done.code, done.checks], [0, []])
  })

  test('writes nothing for a fork to a commit that is also the head of our own branch', async () => {
    api.branches.set(head, ['topic-of-ours'])
    const done = await report(misfit())
    assert.match(done.log, /no comment and no check: [0-9a-f]{40} is also the head of the branch topic-of-ours/)
    assert.deepEqual([done.checks, done.comments], [[], []])
    api.branches.clear()
    api.faults = [{ method: 'GET', path: /branches-where-head/, status: 403, times: 1 }]
    const unknown = await report(misfit())
    assert.match(unknown.log, /no comment and no check: whether .* is unknown/)
    assert.deepEqual([unknown.checks, unknown.comments, api.faults[0]?.times], [[], [], 0])
    api.faults = []
  })

  test('says that nothing was measured if there is no artifact', async () => {
    isRefused(await report({}, { from: OWN, jobs: {} }), /left no artifact async-php-bench-data-default\+/)
  })

  test('ignores the artifact of a gate whose key begins with its own', async () => {
    isRefused(await report(data(), { from: OWN, key: 'default-x' }), /left no artifact async-php-bench-data-default\+/)
  })
})

describe('a comment that another workflow posted for a stranger under the same account', () => {
  const forged = (run: number): string => `<!-- async-php-bench:default run:${run} -->\n## Pass`
  const withComment = async (run: number) => {
    const pulls = [await newPull(OWN)]
    await api.call('POST', `/repos/gate-bot/app/issues/${pulls[0]?.number}/comments`, { body: forged(run) }, TOKEN)
    return pulls
  }
  const ours = { workflow_id: 1, event: 'pull_request', head_branch: 'topic', head_repository: { id: 1 } }

  test('hides no verdict, whatever run it claims', async () => {
    const later = 900_000
    for (const [which, shown] of [
      ['that does not exist', undefined],
      ['of another workflow', { ...ours, workflow_id: 2 }],
      ['of another branch', { ...ours, head_branch: 'other' }],
    ] as const) {
      api.runs.clear()
      api.runs.set(nextRun(), ours)
      if (shown) api.runs.set(later, shown)
      const { run, comments, log } = await report(misfit(), { from: OWN, pulls: await withComment(later) })
      assert.deepEqual([comments.length, comments[0]], [2, forged(later)], `${which}: ${log}`)
      assert.match(comments[1] ?? '', new RegExp(`run:${run} -->\\n## .*Invalid`))
    }
  })

  test('is overwritten if it claims an earlier run', async () => {
    const { comments } = await report(misfit(), { from: OWN, pulls: await withComment(1) })
    assert.match(comments.join(), /^<!-- async-php-bench:default run:\d+ -->\n## .*Invalid/)
  })

  test('is left alone if a later run of this workflow has measured the same branch', async () => {
    api.runs.set(nextRun(), ours)
    api.runs.set(900_001, { ...ours })
    const { comments, log } = await report(misfit(), { from: OWN, pulls: await withComment(900_001) })
    assert.deepEqual(comments, [forged(900_001)], log)
    assert.match(log, /comment: newer-exists/)
  })
})

describe('names of a pull request', () => {
  test('are in code spans in the comment, and become no link, reference or mention', async () => {
    const [workload, load] = ['www.evil.example', 'gh-1']
    const csv = samples((row) => [replaced(replaced(row, 'workload', workload), 'load', load)])
    const config = CONFIG.replace('[fibonacci]', `[{ name: ${workload}, path: / }]`).replace('high:', `${load}:`)
    const { comments, log } = await report(data(csv), { from: OWN, config })
    const body = comments[0] ?? ''
    assert.match(body, /`www\.evil\.example/, log)
    const outside = body.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '')
    assert.doesNotMatch(outside, /www\.evil|gh-1/)
  })
})

describe('a regression of another run', () => {
  test('is accepted by a label added after its publication, also when it is measured again', async () => {
    api.permissions.set('somebody', 'write')
    const pulls = [await newPull(OWN)]
    const path = `/repos/gate-bot/app/issues/${pulls[0]?.number}/labels`
    const label = { labels: ['slower is fine'] }
    const lost = data(samples((row) => [isJudged(row) ? atRate(row, 0.6) : row]))

    await api.call('POST', path, label)
    const early = await report(lost, { from: OWN, pulls })
    assert.deepEqual([early.code, early.checks[0]?.conclusion], [1, 'failure'], 'nobody had seen it when the label was put on')
    assert.match(early.comments[0] ?? '', /Regressed/)
    assert.match(early.log, /accepts nothing: it was not added after a regression of/)
    assert.match(early.comments[0] ?? '', new RegExp(`\\n<!-- head:${head} verdict:regressed -->\\n$`))

    await api.call('DELETE', `${path}/slower%20is%20fine`)
    await api.call('POST', path, label)
    const byAuthor = pulls.map((pull) => ({ ...pull, user: { login: 'somebody' } }))
    for (const [time, setting] of [
      ['measured again', { pulls }],
      ['once more, and by its author', { pulls: byAuthor, config: `${CONFIG}accept-author: true\n` }],
    ] as const) {
      const done = await report(lost, { from: OWN, ...setting })
      assert.deepEqual([done.code, done.checks[0]?.conclusion], [0, 'success'], `${time}: ${done.log}`)
      assert.match(
        done.comments[0] ?? '',
        /^<!-- .* -->\n> The regression was accepted by `somebody`[\s\S]*verdict:regressed regressed:\d{4}-/,
      )
      const file = readFileSync(join(done.temp, 'async-php-bench-results', 'summary.md'), 'utf8')
      assert.match(file, /^> The regression was accepted by `somebody`/)
      assert.equal(done.summary, file, 'the job summary')
      assert.equal(done.checks[0]?.output.summary, file, 'the check')
      const [first = '', ...rest] = (done.comments[0] ?? '').split('\n')
      const [text] = rest.join('\n').split(/\n\[Report and raw data\]/)
      assert.match(first, /^<!-- async-php-bench:default run:/)
      assert.equal(text, file, 'the comment')
    }
  })
})
