/** The workflows that people copy, run step by step with the real dist/. It accepts their inputs and finds no credential. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { PACKAGE } from '../../../config/catalog.ts'
import { inherited } from '../../../system/environment.ts'
import { exec } from '../../../system/exec.ts'
import { OURS, type Step, type Workflow } from '../../workflow-rules.ts'
import { type Files, git, repository, temporary } from '../harness.ts'
import { runStep, SERVER, type StepResult } from '../runner.ts'

const FOLDER = join(PACKAGE, 'examples', 'workflows')
/**
 * Nothing is measured: a budget of a second is refused before anything is served, and so is `instructions: off` with `profile: work`.
 * A missing daemon ends a job even earlier.
 */
const config = (more: string): Files => ({
  '.github/async-php-bench.yml': `modes: [fpm, fibers]\nworkloads: [fibonacci]\nprofile: quick\ndatabase: none\n${more}\n`,
})
const TOKEN = 'tokenOfTheJob'

/** A docker that keeps the login of `docker login`, and records at each call whether there is one. */
const DOCKER = `#!/bin/bash
config="\${DOCKER_CONFIG:-$HOME/.docker}"
[ "$1" = login ] && { mkdir -p "$config"; cat > "$config/config.json"; }
echo "$1 $([ -e "$config/config.json" ] && echo 'with a login')" >> "$(dirname "$0")/called"
[ "$1" = login ] || [ "$1" = pull ]
`

interface Taken {
  done: StepResult
  /** The calls of docker by our step. */
  docker: string[]
  home: string
}

/** A job of a pull request, up to our first step. Steps of others' actions, except the checkout, install programs that exist here. */
async function taken(steps: readonly Step[], more: string): Promise<Taken> {
  // With the user's script that an example calls.
  const workspace = await repository({ base: { ...config(more), 'bin/seed.php': '<?php\n' } })
  const [bin, home] = [temporary(), temporary()]
  writeFileSync(join(bin, 'docker'), DOCKER, { mode: 0o755 })
  const variables = { HOME: home, PATH: `${bin}:${process.env.PATH}` }
  const called = (): string[] =>
    existsSync(join(bin, 'called')) ? readFileSync(join(bin, 'called'), 'utf8').split('\n').filter(Boolean) : []
  for (const { uses = '', run, with: given = {}, env = {} } of steps) {
    if (uses.startsWith('actions/checkout@') && given['persist-credentials'] !== false)
      await git(workspace, 'config', `http.${SERVER}/.extraheader`, `AUTHORIZATION: basic ${TOKEN}`)
    if (run) {
      const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.includes('github.token') ? TOKEN : value]))
      const ran = await exec(['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
        cwd: workspace,
        env: { ...inherited(/^TMPDIR$/), ...own, ...variables },
        timeoutMs: 60_000,
      })
      assert.equal(ran.code, 0, ran.stderr)
    }
    const [, action] = OURS.exec(uses) ?? []
    if (!OURS.test(uses)) continue
    const before = called().length
    const inputs = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value).replace(/\$\{\{.*\}\}/, '2')]))
    const file = action === '/measure' ? 'measure-action' : 'gate-action'
    return { done: await runStep({ file, workspace, inputs, env: variables }), docker: called().slice(before), home }
  }
  throw new Error('no step of ours')
}

const jobs = readdirSync(FOLDER).flatMap((file) =>
  Object.entries((parse(readFileSync(join(FOLDER, file), 'utf8')) as Workflow).jobs).map(([job, { steps }]) => ({ file, job, steps })),
)

describe('an example of a workflow', () => {
  for (const { file, job, steps } of jobs) {
    const own = steps.find(({ uses }) => OURS.test(uses ?? ''))
    if (!own || own.uses?.includes('/report@')) continue
    test(`${file}, job ${job}: dist/ accepts its inputs, and finds no credential`, async () => {
      const isInContainers = file.startsWith('docker-')
      const isWork = own.with?.profile === 'work'
      const { done, docker, home } = await taken(steps, isInContainers ? 'budget: 1h' : isWork ? 'instructions: off' : 'budget: 1s')
      assert.equal(docker.length > 0, isInContainers, done.log)
      assert.doesNotMatch(done.log, /the checkout left its token|input: (?!profile: found work beside instructions: off)/)
      assert.ok(!done.log.includes(TOKEN))
      assert.deepEqual([docker.filter((call) => call.includes('login')), existsSync(join(home, '.docker'))], [[], false])
      if (own.with?.['plan-jobs']) assert.match(done.outputs, /matrix<<\S+\n\{"include":\[/)
      else assert.match(done.log, isInContainers ? /daemon/i : isWork ? /profile: found work beside instructions: off/ : /budget: found 1s/)
    })
  }
  test('that leaves its token in the workspace, or a login at home, would be found', async () => {
    const { steps } = jobs.find(({ file }) => file === 'docker-image.yml') as (typeof jobs)[number]
    const loose = steps.map(({ uses, run, with: given, ...step }) => ({
      ...step,
      ...(uses ? { uses } : {}),
      ...(given ? { with: { ...given, 'persist-credentials': true } } : {}),
      ...(run ? { run: run.replace(/^(DOCKER_CONFIG=|export|trap).*\n/gm, '') } : {}),
    }))
    const { done, docker, home } = await taken(loose, 'budget: 1h')
    assert.match(done.log, /the checkout left its token/)
    assert.ok(docker.length > 0 && docker.every((call) => call.endsWith('with a login')), docker.join())
    assert.ok(existsSync(join(home, '.docker', 'config.json')))
  })
})

describe('our release', () => {
  test('is published by a job that needs no file of the repository, and gets no other program than gh', async () => {
    const { jobs: own } = parse(readFileSync(join(PACKAGE, '.github', 'workflows', 'release.yml'), 'utf8')) as Workflow
    const [step, ...others] = own.publish?.steps ?? []
    assert.deepEqual(others, [])
    const [bin, empty] = [temporary(), temporary()]
    writeFileSync(join(bin, 'gh'), `#!/bin/sh\necho "$*" >> ${bin}/asked\ncase "$*" in *ref/tags/v1) exit 1;; esac\n`, { mode: 0o755 })
    const { code, stderr } = await exec(['/bin/bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run as string], {
      cwd: empty,
      env: { PATH: bin, GH_TOKEN: TOKEN, GH_REPO: 'org/async-php-bench', TAG: 'v1.2.3', COMMIT: 'a'.repeat(40) },
      timeoutMs: 10_000,
    })
    assert.equal(code, 0, stderr)
    const asked = readFileSync(join(bin, 'asked'), 'utf8').trim().split('\n')
    assert.deepEqual([asked.length, asked[0]], [3, 'release create v1.2.3 --verify-tag --generate-notes'])
    assert.match(asked[2] ?? '', /--method POST repos\/org\/async-php-bench\/git\/refs -f ref=refs\/tags\/v1 -f sha=a{40}$/)
    assert.deepEqual(readdirSync(empty), [])
  })
})
