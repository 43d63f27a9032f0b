/** `demo`, the first command that a newcomer runs: provisions, then gates the example app against itself with the quick profile. */
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE } from '../config/catalog.ts'
import type { Inputs } from '../config/inputs.ts'
import { readInputs } from '../config/inputs.ts'
import { modesOf } from '../config/modes.ts'
import { provision } from '../provision/provision.ts'
import { scopeOf } from '../provision/scope.ts'
import { bare } from '../system/environment.ts'
import { messageOf } from '../system/errors.ts'
import { exec } from '../system/exec.ts'
import { scratch } from '../system/scratch.ts'
import { OUT, OUT_DIRECTORY, SEED, YES } from './options.ts'
import type { Values } from './parse.ts'
import { runGate } from './run.ts'
import { say } from './terminal.ts'
import type { Verb } from './verb.ts'

export const demo: Verb = {
  name: 'demo',
  about: 'provision, and gate the example app with the quick profile',
  options: [OUT, SEED, YES],
  run: gateExample,
}

/** The asynchronous modes that the demo may take, in order. A gate has no such choice. */
const ASYNC_MODES = ['swoole', 'fibers']

async function gateExample(values: Values): Promise<number> {
  const workspace = await exampleRepository()
  const yes = values.has(YES.name)
  const inputsFor = (mode: string): Inputs =>
    readInputs(
      { get: (key) => ({ modes: `fpm,${mode}`, seed: values.text(SEED.name) })[key] },
      { workspace, out: values.text(OUT.name) ?? OUT_DIRECTORY, yes, config: 'demo.yml' },
    )

  // Provision the common needs first: a refusal of them must not look like a missing Swoole.
  const fallback = inputsFor(ASYNC_MODES.at(-1) as string)
  await provision(scopeOf(fallback.config, modesOf(fallback.config), [workspace], 'host'), { yes, say })
  const refusals: string[] = []
  for (const mode of ASYNC_MODES) {
    const inputs = inputsFor(mode)
    try {
      await provision(scopeOf(inputs.config, modesOf(inputs.config), [workspace], 'host'), { yes, say })
    } catch (error) {
      refusals.push(messageOf(error))
      continue
    }
    for (const refusal of refusals) say(refusal)
    say(
      `demo: the asynchronous mode is ${mode}${refusals.length ? ', because swoole cannot run here (above). A gate would stop instead' : ', the first of swoole and fibers that can run here'}`,
    )
    return runGate(inputs)
  }
  throw new Error(refusals.join('\n'))
}

/** The example in its own repository, with two equal commits: base and head of an A/A measurement. */
async function exampleRepository(): Promise<string> {
  const directory = join(scratch(), 'minimal-app')
  cpSync(join(PACKAGE, 'examples', 'minimal-app'), directory, { recursive: true, filter: (source) => !source.includes('/vendor') })
  const git = async (...args: string[]): Promise<void> => {
    const identity = [
      '-c',
      'user.name=demo',
      '-c',
      'user.email=demo@localhost',
      '-c',
      'commit.gpgsign=false',
      '-c',
      'init.defaultBranch=main',
    ]
    const done = await exec(['git', ...identity, ...args], { cwd: directory, env: bare() })
    if (done.code !== 0) throw new Error(`git ${args[0]}: ${done.stderr.trim()}`)
  }
  if (!existsSync(join(directory, '.git'))) await git('init', '--quiet')
  await git('add', '--all')
  await git('commit', '--quiet', '--message', 'base')
  await git('commit', '--quiet', '--allow-empty', '--message', 'head')
  return directory
}
