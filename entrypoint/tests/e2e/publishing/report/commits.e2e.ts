/** `report` on artifacts that compare the wrong commits: only those that GitHub confirms for a pull request count. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { replaced, samples } from '../recorded.ts'
import { FORK, isRefused, MISFIT, OWN, type Setting, startReporting } from './reporting.ts'

const { api, commits, newPull, commentsOn, data, misfit, ended, report } = await startReporting()
const { old, base, head, merge, side } = commits

describe('the compared commits', () => {
  const wrong: [string, () => Promise<object> | object, RegExp][] = [
    ['base and head are the same', () => ({ head: merge, base: merge }), /base and head are both/],
    [
      'the head of another pull request',
      () => ({ head: side, base: old }),
      /commits\.head: found \w+ with the parents .*; expected the head of/,
    ],
    ['a commit that does not exist', () => ({ head: 'f'.repeat(40), base }), /commits\.head: found f+, which GitHub does not know/],
    [
      'a merge of another head',
      async () => ({ head: await api.commit('m', [base, side]), base }),
      /expected the head of pull request #\d+/,
    ],
    [
      'a merge with its parents in the wrong order',
      async () => ({ head: await api.commit('m', [head, base]), base }),
      /expected the head of pull request/,
    ],
    [
      'a merge into another branch',
      async () => ({ head: await api.commit('m', [side, head]), base: side }),
      /whose first parent \w+ is not on main/,
    ],
    [
      'another base than the merge has',
      () => ({ head: merge, base: old }),
      /commits\.base: found \w+, expected the first parent of the merge/,
    ],
    ['a base of another branch', () => ({ head, base: side }), /commits\.base: found \w+, expected the tip of main at the time of the run/],
    ['no base although there is one', () => ({ head: merge, base: null }), /commits\.base: found none, expected a commit of main/],
  ]
  for (const [name, compared, message] of wrong) {
    test(`are invalid: ${name}`, async () => {
      isRefused(await report(data(samples(), { commits: await compared() }), { from: OWN }), message)
    })
  }

  test('are invalid if base is older than the commit where head left main, with and without a forged merge', async () => {
    const fresh = await api.commit('head that is up to date', [base])
    const forged = await api.commit('merge into the past', [old, fresh])
    for (const [measured, against, message] of [
      [fresh, old, /commits\.base: found \w+, which is older than \w+, where the head of pull request #\d+ left main/],
      [forged, old, /commits\.base: found \w+, which is older than \w+, where the head of pull request #\d+ left main/],
      [fresh, base, MISFIT],
    ] as const) {
      const pulls = [await newPull(OWN, 'main', { head: { sha: fresh, ref: 'topic', label: 'gate-bot:topic', repo: OWN } })]
      const payload = ended({ head_sha: fresh, head_repository: OWN })
      isRefused(await report(misfit({ commits: { head: measured, base: against } }), { from: OWN, pulls, payload }), message)
    }
  })

  test('are invalid if GitHub refuses to compare them', async () => {
    api.faults = [{ method: 'GET', path: /\/compare\//, status: 403, times: 1 }]
    isRefused(await report(data(), { from: OWN }), /on purpose/)
    api.faults = []
  })

  test('must be the same in all jobs', async () => {
    const second = data(
      samples((row) => [replaced(row, 'job', '2')]),
      { job: '2', commits: { head, base: old } },
    )
    isRefused(await report({}, { jobs: { '1': data(), '2': second } }), /commits: found base .* in job 1, base .* in job 2/)
    const renamed = data(samples(), { job: '2' })
    isRefused(await report({}, { jobs: { '1': renamed } }), /job: found 2, expected 1 by the name of its artifact/)
  })

  test('decide which of two pull requests with the same head gets the verdict, and the check is not green for the other', async () => {
    const pulls = [await newPull(OWN, 'release'), await newPull(OWN)]
    const done = await report(data(), { from: OWN, pulls })
    const [release, main] = await Promise.all(pulls.map(commentsOn))
    assert.deepEqual([release?.length, main?.length], [0, 1], done.log)
    assert.deepEqual([done.checks[0]?.conclusion, done.checks.length], ['action_required', 1])
    assert.match(done.checks[0]?.output.title ?? '', new RegExp(`^pass; not for #${pulls[0]?.number}, with the same head and another base`))
  })

  test('give no pull request the verdict if they fit two of them, unless GitHub names the merge', async () => {
    await api.commit('release has base', [base, side], { branch: 'later' })
    const pulls = [await newPull(OWN, 'later'), await newPull(OWN)]
    const done = await report(data(), { from: OWN, pulls })
    assert.deepEqual([done.comments, done.checks[0]?.conclusion], [[], 'failure'], done.log)
    assert.match(done.checks[0]?.output.title ?? '', /they match the pull requests #\d+ \(into later\) and #\d+ \(into main\)/)
    const named = [await newPull(OWN, 'later'), await newPull(OWN, 'main', { merge_commit_sha: merge })]
    await report(misfit(), { from: OWN, pulls: named })
    assert.deepEqual(
      (await Promise.all(named.map(commentsOn))).map(({ length }) => length),
      [0, 1],
    )
  })

  for (const [event, from, title] of [
    ['push', OWN, /^pass; not for #\d+, with the same head and another base/],
    ['workflow_dispatch', OWN, /^pass; not for #\d+, with the same head and another base/],
    ['pull_request_review', FORK, /^pass; not verified: /],
    ['push', null, /^pass; not verified: /],
  ] as const) {
    test(`give no green check to a run of ${event} that head's workflow adds${from ? ` in ${from.full_name}` : ' in a deleted repository'}, with a base of its choice`, async () => {
      const done = await report(data(samples(), { commits: { head, base: old } }), {
        pulls: [await newPull(from ?? FORK)],
        payload: ended({ event, head_repository: from }),
      })
      assert.deepEqual([done.checks[0]?.conclusion, done.checks.length, done.comments], ['action_required', 1, []], done.log)
      assert.match(done.checks[0]?.output.title ?? '', title)
    })
  }

  test('must be those of the event after a push', async () => {
    const github = { EVENT_NAME: 'push', SHA: base }
    const setting: Setting = { from: OWN, pulls: [], github, payload: { before: old } }
    const done = await report(misfit({ commits: { head: base, base: old } }), setting)
    assert.match(done.log, MISFIT)
    assert.equal(done.checks[0]?.head_sha, base)
    const lied = await report(data(samples(), { commits: { head, base: old } }), setting)
    assert.match(lied.log, /commits\.head: found \w+, expected the commit of the event/)
    const strange = await report(data(samples(), { commits: { head: base, base: side } }), setting)
    assert.match(strange.log, /commits\.base: found \w+, expected \w+ or an ancestor of/)
  })
})
