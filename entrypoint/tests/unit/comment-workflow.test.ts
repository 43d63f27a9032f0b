/** The example that starts a measurement by a comment: its only step, with a `gh` that answers like GitHub. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { parse } from 'yaml'
import { PACKAGE } from '../../config/catalog.ts'
import type { Workflow } from '../workflow-rules.ts'

const { jobs } = parse(readFileSync(join(PACKAGE, 'examples/workflows/comment.yml'), 'utf8')) as Workflow
const start = jobs.start as Workflow['jobs'][string]
const directory = mkdtempSync(join(tmpdir(), 'comment-'))
after(() => rmSync(directory, { recursive: true }))

const GH = `#!/bin/sh
echo "$*" >> "$ASKED"
case $* in
  *collaborators/ann/permission*) echo "$ROLE" ;;
  *pulls/7*) echo abc ;;
  *workflows/label.yml/runs?event=pull_request\\&head_sha=abc*) echo "$RUN" ;;
  *"--method POST repos/o/r/actions/runs/42/rerun"*) ;;
  *) exit 9 ;;
esac
`

/** Runs the step for a person with this role. @returns the request that starts the run, if there is one */
function started(role: string, run = '42'): { code: number | null; rerun: string | undefined; output: string } {
  writeFileSync(join(directory, 'gh'), GH, { mode: 0o755 })
  const asked = join(directory, 'asked')
  writeFileSync(asked, '')
  const step = start.steps[0]
  const given = { GH_TOKEN: 't', REPOSITORY: 'o/r', NUMBER: '7', PERSON: 'ann', MEASURES: step?.env?.MEASURES, ASKED: asked }
  const env = { ...given, ROLE: role, RUN: run, PATH: `${directory}:${process.env.PATH}` }
  const { status, stdout } = spawnSync('bash', ['-c', step?.run ?? 'exit 8'], { env, encoding: 'utf8' })
  return { code: status, rerun: /^.*rerun$/m.exec(readFileSync(asked, 'utf8'))?.[0], output: stdout }
}

describe('the comment /benchmark', () => {
  test('is the whole comment, under a pull request', () => {
    assert.equal(start.if, "github.event.issue.pull_request && github.event.comment.body == '/benchmark'")
  })
  test("runs none of the pull request's code beside its token", () => {
    assert.deepEqual(
      start.steps.flatMap(({ uses }) => uses ?? []),
      [],
    )
  })
  for (const role of ['admin', 'write'])
    test(`of a person with ${role} starts the newest run of this head again`, () => {
      assert.deepEqual(started(role), { code: 0, rerun: 'api --method POST repos/o/r/actions/runs/42/rerun', output: '' })
    })
  for (const role of ['read', 'none', ''])
    test(`of a person with ${role || 'no answer'} starts nothing`, () => {
      const { code, rerun, output } = started(role)
      assert.deepEqual([code, rerun], [1, undefined])
      assert.match(output, /^::error::ann may not push \(/)
    })
  test('without a finished run gives advice', () => {
    const { code, rerun, output } = started('write', '')
    assert.deepEqual([code, rerun], [1, undefined])
    assert.match(output, /^::error::no finished run of label\.yml for abc; approve/)
  })
})
