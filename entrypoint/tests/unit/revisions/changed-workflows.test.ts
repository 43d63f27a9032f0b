/** A pull request changes the gate's workflow, or adds one that could pose as it. The comment announces that. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { changedWorkflows } from '../../../revisions/changed-workflows.ts'
import { Git } from '../../../revisions/git.ts'
import { isLike, jobNames, localUses } from '../../../revisions/workflow-file.ts'
import { commit, type Files, git } from '../../e2e/harness.ts'
import { repetitions } from '../../thorough.ts'

const root = mkdtempSync(join(tmpdir(), 'workflows-'))
after(() => rmSync(root, { recursive: true, force: true }))

const GATE = '.github/workflows/gate.yml'
const BASE: Files = {
  [GATE]: `on: pull_request
jobs:
  gate:
    steps: [{ uses: ./.github/actions/prepare }, { uses: ./linked }, { uses: org/async-php-bench@v1 }]
  more: { uses: ./.github/workflows/shared.yml }
`,
  '.github/workflows/shared.yml': 'on: workflow_call\njobs: { one: { steps: [{ uses: "././tools//action/" }] } }\n',
  '.github/workflows/test.yml': 'on: push\njobs: { test: { steps: [{ run: a }] } }\n',
  '.github/actions/prepare/action.yaml': 'runs: { using: composite, steps: [{ uses: ./nested }, { run: ./prepare.sh }] }\n',
  '.github/actions/prepare/prepare.sh': 'true\n',
  'nested/action.yml': 'runs: { using: node20, main: index.js }\n',
  'nested/index.js': '\n',
  'tools/action/action.yml': 'runs: { using: docker, image: Dockerfile }\n',
  'behind/action.yml': 'runs: { using: node20, main: index.js }\n',
  'nested-not/index.js': '\n',
}

/** @param head files that the pull request changes @param ref as in GITHUB_WORKFLOW_REF */
async function notesOf(head: Files, { base = BASE, ref = `org/app/${GATE}@refs/pull/1/merge` } = {}): Promise<string> {
  const directory = mkdtempSync(join(root, 'repo-'))
  await git(directory, 'init', '--quiet')
  symlinkSync('behind', join(directory, 'linked'))
  await commit(directory, base, 'base')
  const before = await git(directory, 'rev-parse', 'HEAD')
  const trees = mkdtempSync(join(root, 'tree-'))
  await git(directory, 'worktree', 'add', '--quiet', '--detach', join(trees, 'base'))
  await commit(directory, head, 'head')
  const now = await git(directory, 'rev-parse', 'HEAD')
  const revisions = {
    base: { revision: 'base' as const, directory: join(trees, 'base'), commit: before, label: '' },
    head: { revision: 'head' as const, directory, commit: now, label: '' },
  }
  return (await changedWorkflows(new Git(directory), revisions, ref)).join('\n')
}

const jobs = (text: string): string => `on: pull_request\njobs: ${text}\n`

const FLOOD = repetitions(1000)

test(`${FLOOD} workflows under the name of the check leave room in the comment for other announcements`, async () => {
  const flood = Array.from({ length: FLOOD }, (_, i) => [`.github/workflows/${'w'.repeat(120)}${i}.yml`, jobs('{ gate: { steps: [] } }')])
  const notes = await notesOf(Object.fromEntries(flood))
  assert.match(notes, new RegExp(`and ${FLOOD - 10} more, with a job that GitHub may show under the name of this check`))
  assert.ok(notes.length < 3000, String(notes.length))
})

describe('the workflow that runs the gate', () => {
  test('is not announced if it is the same', async () => {
    assert.equal(await notesOf({ 'src/a.php': '', 'nested-not/index.js': 'changed\n' }), '')
    assert.equal(await notesOf({ [GATE]: 'changed: true\n' }, { ref: '' }), '', 'outside of GitHub')
  })
  test('is announced if it differs, whatever the name of the ref', async () => {
    const changed = /^Base and head have different versions of `\.github\/workflows\/gate\.yml`, the workflow that runs this gate\./
    for (const ref of ['refs/pull/1/merge', 'refs/heads/a@b'])
      assert.match(await notesOf({ [GATE]: 'jobs: {}\n' }, { ref: `org/app/${GATE}@${ref}` }), changed)
  })
  for (const file of [
    '.github/actions/prepare/prepare.sh',
    '.github/actions/prepare/action.yml',
    'nested/index.js',
    '.github/workflows/shared.yml',
    'tools/action/Dockerfile',
    'behind/index.js',
  ]) {
    test(`is announced if ${file} differs, which it uses`, async () => {
      const notes = await notesOf({ [file]: 'changed: true\n' })
      assert.equal(
        notes,
        `Base and head have different versions of \`${file}\`, which the workflow of this gate uses. Review that change as well.`,
      )
    })
  }
  test('an action at the root of the repository consists of its action files', async () => {
    const base = { [GATE]: jobs('{ gate: { steps: [{ uses: ./ }] } }'), 'action.yml': 'runs: { using: node20, main: dist/index.js }\n' }
    assert.match(await notesOf({ 'dist/index.js': 'x', 'src/index.ts': 'x' }, { base }), /versions of `dist\/index\.js`, which/)
  })
})

describe('another workflow', () => {
  const posing = /^Head changes or adds `\.github\/workflows\/\w+\.yml`, with a job that GitHub may show under the name of this check/
  for (const [what, text] of [
    ['the id of the job', jobs('{ gate: { steps: [] } }')],
    ['its name, in other letters', jobs('{ a: { name: "Gate", steps: [] } }')],
    ['its name with a matrix', jobs('{ a: { name: gate (x), steps: [] } }')],
    ['the name of the check of report', jobs('{ a: { name: async gain, steps: [] } }')],
    ['a name that is known only there', jobs('{ a: { name: "${{ github.event.number }}", steps: [] } }')],
    ['what cannot be read', 'on: [\n'],
  ]) {
    test(`whose job has ${what} is announced`, async () => {
      assert.match(await notesOf({ '.github/workflows/new.yml': text as string }), posing)
      assert.match(await notesOf({ '.github/workflows/test.yml': text as string }), posing)
    })
  }
  test('with other job names is announced as changed', async () => {
    const notes = await notesOf({ '.github/workflows/test.yml': jobs('{ test: { steps: [] }, gateway: { name: 7, steps: [] } }') })
    assert.match(notes, /^Head also changes other workflows: `\.github\/workflows\/test\.yml`\. They run as head wrote them\./)
  })
})

describe('the file of a workflow', () => {
  test('never makes the parser throw', () => {
    for (const text of [
      '',
      '[]',
      'x',
      '1',
      'jobs: x',
      'jobs: [null]',
      'jobs: { a: null }',
      'jobs: { a: { steps: [null, 1, { uses: 1 }] } }',
    ])
      assert.deepEqual([localUses(text), (jobNames(text) ?? []).every((name) => typeof name === 'string')], [[], true], text)
    assert.equal(jobNames('a: &a [x]\n'.padEnd(1_000_001)), undefined)
  })
  test('names are compared as GitHub shows them', () => {
    assert.deepEqual(
      ['gate', ' GATE ', 'gate (1, a)', 'gateway', '${{ x }}'].map((name) => isLike(name, ['Gate'])),
      [true, true, true, false, true],
    )
  })
})
