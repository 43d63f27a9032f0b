/** The Action on pull requests that try to choose their judge. Nothing is measured: base's budget of a second is refused first. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { commit, type Files, git, repository } from '../harness.ts'
import { runStep, type StepResult } from '../runner.ts'

const FILE = '.github/async-php-bench.yml'
const HOME = '{ name: home, path: / }'
const BASE = `modes: [fpm, fibers]\nworkloads: [${HOME}]\nloads: { low: { concurrency: 1 } }\nprofile: quick\nbudget: 1s\ndatabase: none\n`

interface Setting {
  base?: string
  /** Files that head removes. */
  remove?: string[]
  event?: string
  /** Files of base, and those that head adds or changes. */
  inBase?: Files
  inHead?: Files
}

/** @param head its configuration */
async function pullRequest(head: string, setting: Setting = {}): Promise<StepResult> {
  const { base = BASE, remove = [], event = 'pull_request', inBase = {}, inHead = {} } = setting
  const workspace = await repository({ base: { [FILE]: base, ...inBase } })
  const main = await git(workspace, 'rev-parse', 'HEAD')
  await git(workspace, 'checkout', '--quiet', '-b', 'topic')
  if (remove.length) await git(workspace, 'rm', '--quiet', ...remove)
  await commit(workspace, { [FILE]: head, ...inHead }, 'head')
  const topic = await git(workspace, 'rev-parse', 'HEAD')
  await git(workspace, 'checkout', '--quiet', '--detach', main)
  await git(workspace, 'merge', '--quiet', '--no-ff', '-m', 'merge', 'topic')
  const payload = { pull_request: { number: 1, base: { sha: main }, head: { sha: topic } }, merge_group: { base_sha: main } }
  const sha = await git(workspace, 'rev-parse', 'HEAD')
  const github = { EVENT_NAME: event, SHA: sha, WORKFLOW_REF: 'org/app/.github/workflows/gate.yml@refs/pull/1/merge' }
  return runStep({ file: 'gate-action', workspace, github, payload })
}

describe('a pull request', () => {
  for (const event of ['pull_request', 'merge_group']) {
    test(`that compares itself with itself, under a loosened gate, is compared with base (${event})`, async () => {
      const done = await pullRequest(`${BASE.replace('1s', '9h')}baseline: HEAD\ngate: { max-regression: 90, resolution: 90 }\n`, { event })
      assert.equal(done.code, 1)
      assert.match(done.log, /head [0-9a-f]{10}, base (HEAD\^1 \([0-9a-f]{10}\)|[0-9a-f]{10})$/m)
      assert.doesNotMatch(done.log, /A\/A/)
      assert.match(done.log, /budget: found 1s, allowed: at least \d+m/)
      for (const key of ['budget', 'baseline', 'gate.max-regression', 'gate.resolution'])
        assert.match(done.log, new RegExp(`note: This pull request changes ${key} from .* The value of base counts`))
    })
  }
  test('that changes its workload leaves nothing to judge, and is never green', async () => {
    const done = await pullRequest(BASE.replace('path: /', 'path: /cheap'))
    assert.equal(done.code, 1)
    assert.match(done.summary, /Invalid[\s\S]*none has the same definition in base and head\. Found: home \(redefined\)/)
  })
  test('that removes its entry file is never green', async () => {
    const done = await pullRequest(BASE, { remove: ['bench/app.php'] })
    assert.equal(done.code, 1)
    assert.match(done.summary, /Invalid[\s\S]*head has no bench\/app\.php, and base has bench\/app\.php/)
  })
  test('that changes the workflow that runs the gate, or adds a workflow whose job has its name, is announced', async () => {
    const gate = 'on: pull_request\njobs: { gate: { steps: [{ uses: ./prepare }, { uses: org/async-php-bench@v1 }] } }\n'
    const { log } = await pullRequest(BASE, {
      inBase: { '.github/workflows/gate.yml': gate, 'prepare/action.yml': 'runs: { using: composite, steps: [] }\n' },
      inHead: {
        'prepare/hey.sh': 'exit 0\n',
        '.github/workflows/green.yml': 'on: pull_request\njobs: { gate: { steps: [{ run: "true" }] } }\n',
      },
    })
    assert.match(log, /note: Base and head have different versions of `prepare\/hey\.sh`, which the workflow of this gate uses/)
    assert.match(
      log,
      /note: Head changes or adds `\.github\/workflows\/green\.yml`, with a job that GitHub may show under the name of this check/,
    )
    assert.doesNotMatch(log, /the workflow that runs this gate/)
  })

  // The file or checkout of each head is read differently than it seems.
  const odd: [string, string, Files, RegExp][] = [
    [
      'that writes YAML 1.1, with merge keys, tags and octal numbers',
      `%YAML 1.1\n---\nfree: &f { max-regression: 90, resolution: 0137 }\n${BASE}gate: { <<: *f }\nblocks: !!int 1\n`,
      {},
      /async-php-bench\.yml:\d+: free: |unknown key.*free|free/,
    ],
    [
      'whose attributes encode its files anew',
      `${BASE.replace('1s', '9h')}blocks: 1\n`,
      { '.gitattributes': '*.yml ident eol=crlf export-subst filter=mine merge=ours diff=mine\n' },
      /changes budget from [\s\S]*budget: found 1s/,
    ],
    [
      'with other spellings of the configuration beside it',
      BASE,
      {
        '.GitHub/async-php-bench.yml': 'blocks: 1\n',
        '.github/ASYNC-PHP-BENCH.yml': 'blocks: 1\n',
        '.github/async-php-bench.yaml': 'blocks: 1\n',
      },
      /budget: found 1s/,
    ],
    [
      'with numbers that are none',
      `${BASE}connections: .inf\ngate: { alpha: 1e-400 }\nblocks: .nan\n`,
      {},
      /alpha: found 0[\s\S]*connections: found Infinity/,
    ],
  ]
  for (const [what, head, inHead, said] of odd) {
    test(`${what} is judged by base, or refused`, async () => {
      const { code, log } = await pullRequest(head, { inHead })
      assert.equal(code, 1, log)
      assert.match(log, said)
      assert.doesNotMatch(log, /budget: found 9h/)
    })
  }
  test('that floods its announcements hides none', async () => {
    const loads = Array.from({ length: 3000 }, (_, i) => `l${i}: 1`).join(', ')
    const head = `${BASE.replace(/^loads: .*/m, `loads: { ${loads} }`)}baseline: ${'x'.repeat(70_000)}\ngate: { max-regression: 9 }\n`
    const { log } = await pullRequest(head, { inHead: { '.github/workflows/green.yml': 'on: push\njobs: { async gain: {} }\n' } })
    assert.match(log, /changes gate\.max-regression from 5 to 9/)
    assert.match(log, /Head (also )?changes/)
    assert.ok(log.length < 20_000, String(log.length))
  })
})
