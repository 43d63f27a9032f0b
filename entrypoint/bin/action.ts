/** The frame of every Action: reads inputs, and fails the step on an error. Ends the process. */
import { join } from 'node:path'
import * as core from '@actions/core'
import { PACKAGE } from '../config/catalog.ts'
import type { Inputs } from '../config/inputs.ts'
import { readInputs } from '../config/inputs.ts'
import { say } from '../publish/github.ts'
import { openCache } from '../system/actions-cache.ts'
import type { Cache } from '../system/cache.ts'
import { messageOf } from '../system/errors.ts'
import { hideEnvironment } from '../system/hidden-environment.ts'
import { visible } from '../system/log.ts'
import { endOnSignals } from './signals.ts'

/** Fails the step, with an annotation. */
export function fail(message: string): void {
  core.setFailed(visible(message))
}

/** The cache for the work that prepares a machine. */
export function actionsCache({ cache: isOn }: Pick<Inputs, 'cache'>): Cache {
  return openCache({ isOn, client: join(PACKAGE, 'dist', 'cache-client.js'), say })
}

export function setCacheHit({ isHit }: Cache): void {
  core.setOutput('cache-hit', isHit ?? '')
}

export function runAction(work: (inputs: Inputs) => Promise<void>): void {
  endOnSignals()
  const run = async (): Promise<void> => {
    const shown = hideEnvironment()
    if (shown) say(`warning: the app can read the environment of this step: ${shown}`)
    const token = core.getInput('github-token')
    if (token) core.setSecret(token)
    const workspace = process.env.GITHUB_WORKSPACE ?? process.cwd()
    const out = `${process.env.RUNNER_TEMP ?? '/tmp'}/async-php-bench-results`
    await work(readInputs({ get: (key) => core.getInput(key) }, { workspace, out, yes: true, token }))
  }
  run().then(
    () => process.exit(),
    (error) => {
      fail(messageOf(error))
      process.exit(1)
    },
  )
}
