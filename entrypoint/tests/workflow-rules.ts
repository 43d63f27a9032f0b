/** Rules for workflows that people copy, that `init` writes, and that are ours. */
import assert from 'node:assert/strict'
import { parse } from 'yaml'

export interface Step {
  name?: string
  uses?: string
  run?: string
  with?: Record<string, unknown>
  env?: Record<string, string>
}

export interface Workflow {
  on: unknown
  permissions?: Record<string, string>
  env?: Record<string, string>
  jobs: Record<string, { if?: string; permissions?: Record<string, string>; needs?: string; steps: Step[] }>
}

/** Named by their major version, as the README does. */
export const OURS = /^org\/async-php-bench(\/\w+)?@v1$/

/** The commit of each action, by name. Every workflow uses the same. */
const pins = new Map<string, string>()

/** By the purpose of a workflow. Each takes its text and throws if it breaks the rule. */
export const WORKFLOW_RULES: Record<string, (text: string) => void> = {
  'names every action of others by commit, with its version, and each by one': (text) => {
    const uses = stepsOf(text).flatMap((step) => step.uses ?? [])
    for (const action of uses.filter((name) => !OURS.test(name))) {
      assert.match(action, /^[\w./-]+@[0-9a-f]{40}$/)
      const [name, commit] = action.split('@') as [string, string]
      assert.match(text, new RegExp(`${commit} # v?\\d+\\.\\d+\\.\\d+`))
      assert.equal(pins.get(name) ?? commit, commit)
      pins.set(name, commit)
    }
    assert.equal(text.match(/uses:/g)?.length ?? 0, uses.length)
  },
  'leaves no token in the workspace': (text) => {
    for (const step of stepsOf(text).filter(({ uses }) => uses?.startsWith('actions/checkout@')))
      assert.equal(step.with?.['persist-credentials'], false)
  },
  'says what it may do, and nobody writes contents who checks out or runs code, but to keep the history of reviewed code': (text) => {
    const workflow = parse(text) as Workflow
    assert.ok(workflow.permissions)
    assert.equal(workflow.permissions.contents, 'read')
    for (const { permissions, steps } of Object.values(workflow.jobs))
      if (permissions?.contents === 'write' && !keepsHistory(workflow, steps))
        assert.deepEqual(
          steps.filter(({ uses, run }) => uses || /\b(npm|node|npx|git)\b /.test(run ?? '')),
          [],
        )
    assert.doesNotMatch(JSON.stringify(workflow.on), /pull_request_target/)
  },
  'puts nothing of an event into a shell': (text) => {
    for (const { run } of stepsOf(text)) assert.doesNotMatch(run ?? '', /\$\{\{/)
  },
}

/** Only for the Action itself, and never for a pull request, because the app then runs beside a token that writes contents. */
function keepsHistory({ on }: Workflow, steps: Step[]): boolean {
  const events = Object.keys(on as object)
  const allowed = /^(actions\/checkout|shivammathur\/setup-php|org\/async-php-bench)@/
  return events.every((event) => ['push', 'schedule'].includes(event)) && steps.every(({ uses, run }) => !run && allowed.test(uses ?? ''))
}

function stepsOf(text: string): Step[] {
  return Object.values((parse(text) as Workflow).jobs).flatMap((job) => job.steps)
}
