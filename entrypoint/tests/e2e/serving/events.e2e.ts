/** The commits that each event of GitHub compares. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { commit, git, repository } from '../harness.ts'
import { runStep } from '../runner.ts'

describe('events', () => {
  // Nothing is measured: a budget of a second is refused once base and head are known.
  const short =
    'modes: [fpm, fibers]\nworkloads: [{ name: home, path: / }]\nloads: { low: { concurrency: 1 } }\nprofile: quick\nbudget: 1s\ndatabase: none\n'
  let workspace: string
  const sha: Record<string, string> = {}
  before(async () => {
    // main: one, two; topic: one, change; merge of topic into two.
    workspace = await repository({ base: { '.github/async-php-bench.yml': short } })
    sha.one = await git(workspace, 'rev-parse', 'HEAD^')
    sha.two = await git(workspace, 'rev-parse', 'HEAD')
    await git(workspace, 'tag', 'v1.0.0', sha.one)
    await git(workspace, 'checkout', '--quiet', '-b', 'topic', sha.one)
    await commit(workspace, { 'change.txt': 'x' }, 'change')
    sha.change = await git(workspace, 'rev-parse', 'HEAD')
    await git(workspace, 'checkout', '--quiet', '--detach', sha.two)
    await git(workspace, 'merge', '--quiet', '--no-ff', '-m', 'merge', 'topic')
    sha.merge = await git(workspace, 'rev-parse', 'HEAD')
  })
  const cases: [
    event: string,
    at: string,
    payload: (s: Record<string, string>) => object,
    expected: (s: Record<string, string>) => string,
  ][] = [
    [
      'pull_request',
      'merge',
      (s) => ({ pull_request: { number: 1, base: { sha: s.one }, head: { sha: s.change } } }),
      (s) => `head ${short10(s.merge)}, base HEAD^1 (${short10(s.two)})`,
    ],
    ['push', 'two', (s) => ({ before: s.one }), (s) => `base ${short10(s.one)}`],
    ['merge_group', 'two', (s) => ({ merge_group: { base_sha: s.one } }), (s) => `base ${short10(s.one)}`],
    ['release', 'two', () => ({ release: { id: 1 } }), (s) => `base v1.0.0 (${short10(s.one)})`],
    ['schedule', 'two', () => ({}), (s) => `base HEAD^1 (${short10(s.one)})`],
    ['workflow_dispatch', 'change', () => ({}), (s) => `, base ${short10(s.one)}`],
    ['pull_request_target', 'two', () => ({}), () => 'pull_request_target has a token that can write'],
  ]
  const short10 = (commitName: string | undefined): string => (commitName ?? '').slice(0, 10)
  for (const [event, at, payload, expected] of cases) {
    test(`${event} compares with the right commit, or gives the reason`, async () => {
      await git(workspace, 'checkout', '--quiet', '--detach', sha[at] as string)
      const done = await runStep({
        file: 'gate-action',
        workspace,
        github: { EVENT_NAME: event, SHA: sha[at] as string },
        payload: payload(sha),
      })
      assert.ok(done.log.includes(expected(sha)), `${expected(sha)}\n${done.log}`)
      assert.equal(done.code, 1)
    })
  }
})
