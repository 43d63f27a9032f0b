/** Workflows that people copy, and our own: their rights, and what they leave to the code that they run. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { parse } from 'yaml'
import { PHP_VERSIONS } from '../../commands/init/php-version.ts'
import { workflowText } from '../../commands/init/workflow.ts'
import { PACKAGE } from '../../config/catalog.ts'
import { OURS, type Step, WORKFLOW_RULES, type Workflow } from '../workflow-rules.ts'

const texts = new Map([
  ...['examples/workflows', '.github/workflows'].flatMap((directory) =>
    readdirSync(join(PACKAGE, directory)).map((name): [string, string] => [
      `${directory}/${name}`,
      readFileSync(join(PACKAGE, directory, name), 'utf8'),
    ]),
  ),
  ['init', workflowText({ version: PHP_VERSIONS[0], why: '', extensions: ['swoole'] })],
  ...[...readFileSync(join(PACKAGE, 'README.md'), 'utf8').matchAll(/```yaml\n([^`]*\bjobs:\n[^`]*)```/g)].map(
    ([, text], i): [string, string] => [`README.md ${i + 1}`, text as string],
  ),
])

describe('a workflow', () => {
  for (const [file, text] of texts)
    for (const [rule, check] of Object.entries(WORKFLOW_RULES)) test(`of ${file} ${rule}`, () => check(text))

  for (const [file, text] of texts) {
    const { jobs } = parse(text) as Workflow
    const measured = Object.values(jobs).filter(({ steps }) =>
      steps.some(({ uses, with: given }) => /^org\/async-php-bench(\/measure)?@v1$/.test(uses ?? '') && !given?.['plan-jobs']),
    )
    if (measured.length === 0 || file.includes('/docker-')) continue
    test(`of ${file} brings PHP with Swoole, and without Xdebug, before it measures`, () => {
      for (const { steps } of measured) {
        const at = steps.findIndex(({ uses }) => uses?.startsWith('shivammathur/setup-php@'))
        assert.ok(at >= 0 && at < steps.findIndex(({ uses }) => OURS.test(uses ?? '')), 'setup-php before the measurement')
        const { 'php-version': php, extensions, coverage } = steps[at]?.with ?? {}
        // The version that `init` writes for an app that allows any.
        assert.equal(String(php), PHP_VERSIONS[0])
        assert.deepEqual([String(extensions).split(', ')[0], coverage], ['swoole', 'none'])
      }
    })
  }

  test('of the examples is listed in docs/workflows.md', () => {
    const listed = readFileSync(join(PACKAGE, 'docs', 'workflows.md'), 'utf8')
    const examples = readdirSync(join(PACKAGE, 'examples', 'workflows'))
    assert.deepEqual(
      examples.filter((name) => !listed.includes(`(../examples/workflows/${name})`)),
      [],
    )
  })

  test('that measures and reports in one run judges by the measured base of the merge', () => {
    const judging = [...texts].flatMap(([file, text]) =>
      Object.values((parse(text) as Workflow).jobs)
        .filter(({ steps }) => !file.includes('fork-report') && steps.some(({ uses }) => uses?.endsWith('/report@v1')))
        .map(({ steps }) => steps),
    )
    assert.ok(judging.length > 0)
    for (const [checkout, base, report] of judging) {
      assert.deepEqual([checkout?.with?.ref, checkout?.with?.['fetch-depth']], [undefined, 2])
      assert.equal(base?.run, 'git checkout --quiet HEAD^1')
      assert.match(report?.uses ?? '', OURS)
    }
    for (const [file, text] of texts) assert.doesNotMatch(text, /pull_request\.base\.sha/, file)
  })
  test("with a job named like another workflow's is never advised: GitHub may take either for the required check", () => {
    const page = readFileSync(join(PACKAGE, 'docs', 'workflows.md'), 'utf8')
    const [, recipe] = /## Required checks with path filters[\s\S]*?```yaml\n([\s\S]*?)```/.exec(page) ?? []
    const { jobs } = parse(recipe as string) as Workflow
    assert.doesNotMatch(page, /paths-ignore/)
    assert.deepEqual(Object.keys(jobs), ['gate'])
    // If the comparing step fails, the gate runs.
    const [, compare, gate] = jobs.gate?.steps ?? []
    assert.match(
      compare?.run ?? '',
      /^if git diff --quiet --ignore-submodules=none HEAD\^1 HEAD -- .*; then echo same=true >> "\$GITHUB_OUTPUT"; fi$/,
    )
    assert.match(gate?.uses ?? '', OURS)
  })
  test('that reports on forks uses no cache, and checks out nothing but the default branch', () => {
    const text = texts.get('examples/workflows/fork-report.yml') as string
    const steps = Object.values((parse(text) as Workflow).jobs).flatMap((job) => job.steps)
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))
    assert.equal(checkouts.length, 1)
    assert.deepEqual([checkouts[0]?.with?.ref, checkouts[0]?.with?.repository], [undefined, undefined])
    assert.doesNotMatch(text, /actions\/cache|cache:/)
  })

  test('of ours publishes only after a job without its token has built', () => {
    const { jobs } = parse(texts.get('.github/workflows/release.yml') as string) as Workflow
    assert.equal(jobs.publish?.needs, 'build')
    assert.equal(jobs.build?.permissions, undefined)
    assert.ok(jobs.build?.steps.some(({ run }) => run === 'git diff --exit-code'))
  })
})

describe('the example with images of a registry', () => {
  const root = mkdtempSync(join(tmpdir(), 'workflow-'))
  after(() => rmSync(root, { recursive: true }))

  /** Runs the step with a docker that records its calls, and the place of its login. */
  function pulled(answer: number): { asked: string; code: number; login: string } {
    const directory = mkdtempSync(join(root, 'case-'))
    const [bin, temp, home] = ['bin', 'temp', 'home'].map((name) => join(directory, name)) as [string, string, string]
    for (const folder of [bin, temp, home]) mkdirSync(folder)
    const git = (...args: string[]): void => void execFileSync('git', args, { cwd: directory })
    git('init', '-q')
    for (const message of ['base', 'head'])
      git('-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'commit.gpgsign=false', 'commit', '-q', '--allow-empty', '-m', message)
    writeFileSync(
      join(bin, 'docker'),
      `#!/bin/bash
echo "$*" >> ${directory}/asked
config="\${DOCKER_CONFIG:-$HOME/.docker}"
case "$1" in
  login) mkdir -p "$config"; cat > "$config/config.json"; echo "$config" > ${directory}/login;;
  pull) grep -q secret "$config/config.json" || exit 9; exit ${answer};;
esac
`,
      { mode: 0o755 },
    )
    const { steps } = Object.values((parse(texts.get('examples/workflows/docker-image.yml') as string) as Workflow).jobs)[0] as {
      steps: Step[]
    }
    const at = steps.findIndex(({ run }) => run)
    assert.ok(at < steps.findIndex(({ uses }) => OURS.test(uses ?? '')), 'before the gate')
    let code = 0
    try {
      execFileSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', steps[at]?.run as string], {
        cwd: directory,
        stdio: 'pipe',
        env: { ...steps[at]?.env, ACTOR: 'me', TOKEN: 'secret', PATH: `${bin}:${process.env.PATH}`, TMPDIR: temp, HOME: home },
      })
    } catch (error) {
      code = (error as { status: number }).status
    }
    assert.deepEqual(readdirSync(home), [])
    return { asked: readFileSync(join(directory, 'asked'), 'utf8'), code, login: readFileSync(join(directory, 'login'), 'utf8').trim() }
  }

  for (const answer of [0, 5])
    test(`leaves no login behind if the pull ends with ${answer}`, () => {
      const { asked, code, login } = pulled(answer)
      assert.equal(code, answer)
      assert.match(asked, /^login ghcr\.io --username me --password-stdin\n(pull --quiet ghcr\.io\/acme\/app:[0-9a-f]{40}\n)+$/)
      assert.equal(asked.match(/pull/g)?.length, answer ? 1 : 2)
      assert.ok(login.length > 1 && !existsSync(login))
    })
})
