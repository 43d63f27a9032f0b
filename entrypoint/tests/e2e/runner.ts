/** A file of dist/ as a runner runs it: inputs in the environment, an event in a file, outputs and summary in files. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE } from '../../config/catalog.ts'
import { inherited } from '../../system/environment.ts'
import { exec } from '../../system/exec.ts'
import { temporary } from './harness.ts'

/** Like a person's own GitHub, because the artifact service serves no other. */
export const SERVER = 'https://github.localhost'

export interface Step {
  file: 'gate-action' | 'measure-action' | 'report-action'
  workspace: string
  inputs?: Record<string, string>
  /** The runner's own variables, without their GITHUB_. */
  github?: Record<string, string>
  payload?: object
  env?: Record<string, string>
}

export interface StepResult {
  code: number
  /** The log: stdout and stderr. */
  log: string
  outputs: string
  summary: string
  /** RUNNER_TEMP. */
  temp: string
  /** The folder of the Action's results. */
  results: string
}

export async function runStep({ file, workspace, inputs = {}, github = {}, payload = {}, env = {} }: Step): Promise<StepResult> {
  const runner = temporary()
  const temp = join(runner, 'temp')
  mkdirSync(temp)
  const files = { OUTPUT: join(runner, 'output'), STEP_SUMMARY: join(runner, 'summary'), EVENT_PATH: join(runner, 'event.json') }
  for (const path of Object.values(files)) writeFileSync(path, '')
  writeFileSync(files.EVENT_PATH, JSON.stringify(payload))
  const variables = { ACTIONS: 'true', EVENT_NAME: 'workflow_dispatch', REF: 'refs/heads/main', SERVER_URL: SERVER, ...github, ...files }
  const done = await exec([process.execPath, join(PACKAGE, 'dist', `${file}.js`)], {
    cwd: workspace,
    timeoutMs: 600_000,
    env: {
      ...inherited(/^(PATH|HOME)$/),
      RUNNER_TEMP: temp,
      GITHUB_WORKSPACE: workspace,
      ...Object.fromEntries(Object.entries(variables).map(([name, value]) => [`GITHUB_${name}`, value])),
      ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
      ...env,
    },
  })
  return {
    code: done.code,
    log: done.stdout + done.stderr,
    outputs: readFileSync(files.OUTPUT, 'utf8'),
    summary: readFileSync(files.STEP_SUMMARY, 'utf8'),
    temp,
    results: join(temp, 'async-php-bench-results'),
  }
}
