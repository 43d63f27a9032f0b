/** `init`: writes what a repository needs to be measured, after a look at its composer.json. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CONFIG_FILE } from '../config/inputs.ts'
import { Git } from '../revisions/git.ts'
import { InputError } from '../system/errors.ts'
import { detect } from './frameworks.ts'
import { INIT_OPTIONS } from './options.ts'
import { print } from './terminal.ts'
import type { Verb } from './verb.ts'

const WORKFLOW_FILE = '.github/workflows/async-php-bench.yml'

export const init: Verb = {
  name: 'init',
  about: 'write bench/app.php, a configuration and a workflow for this repository',
  options: INIT_OPTIONS,
  run: async (values) => {
    const workspace = resolve(values.text('workspace') || '.')
    const lines = await prepareRepository(workspace, { overwrites: values.has('force'), writes: !values.has('check') })
    print(lines.join('\n'))
    return 0
  },
}

/**
 * @returns what was seen and done, one line per file, and what comes next
 * @throws InputError if the workspace is no directory, or composer.json cannot be read
 */
export async function prepareRepository(
  workspace: string,
  { overwrites, writes }: { overwrites: boolean; writes: boolean },
): Promise<string[]> {
  if (!statSync(workspace, { throwIfNoEntry: false })?.isDirectory())
    throw new InputError(
      `workspace: found ${workspace}, which ${existsSync(workspace) ? 'is not a directory' : 'does not exist'}; allowed: the root of a repository`,
    )
  const packages = packagesOf(workspace)
  const framework = detect(packages ?? [])
  const files: [string, string][] = [
    ...(framework.app ? [['bench/app.php', framework.app] as [string, string]] : []),
    [CONFIG_FILE, framework.config],
    [WORKFLOW_FILE, WORKFLOW],
  ]
  const done = files.map(([name, content]) => {
    const file = join(workspace, name)
    if (existsSync(file) && !overwrites)
      return `${name}: exists, ${writes ? 'left as it is' : 'would be left as it is'} (--force overwrites)`
    if (!writes) return `${name}: would be ${existsSync(file) ? 'overwritten' : 'written'}`
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    return `${name}: written`
  })
  const names = files.map(([name]) => name)
  return [
    `found: ${framework.name} (${reason(packages, framework.seen)})`,
    ...done,
    ...[...framework.next, ...(await commitCommands(workspace, names))].map((line) => `next: ${line}`),
  ]
}

function reason(packages: string[] | undefined, seen: string[]): string {
  if (!packages) return 'there is no composer.json'
  return seen.length ? `composer.json requires ${seen.join(', ')}` : 'composer.json requires no framework that is known'
}

/** Base and head are commits: what is not committed is not measured. */
async function commitCommands(workspace: string, names: string[]): Promise<string[]> {
  const git = new Git(workspace)
  const commit = [`git add ${names.join(' ')}`, 'git commit --message "Measure the asynchronous gain"']
  if (!(await git.isRepository())) return ['git init (this is not a git repository yet; base and head are two of its commits)', ...commit]
  const folder = await git.run('rev-parse', '--show-prefix')
  const elsewhere = folder
    ? [`run init in the root of the repository: ${workspace} is its folder ${folder}, and a revision is the whole repository`]
    : []
  const isCommitted =
    (await git.try('diff', '--quiet', 'HEAD', '--', ...names)) !== undefined &&
    (await git.try('ls-files', '--error-unmatch', '--', ...names)) !== undefined
  return isCommitted ? elsewhere : [...elsewhere, ...commit]
}

/** Undefined where there is no composer.json. */
function packagesOf(workspace: string): string[] | undefined {
  const file = join(workspace, 'composer.json')
  if (!existsSync(file)) return undefined
  try {
    return Object.keys((JSON.parse(readFileSync(file, 'utf8')) as { require?: Record<string, string> }).require ?? {})
  } catch (error) {
    throw new InputError(`${file}: not valid JSON: ${(error as Error).message}`)
  }
}

/** What `init` writes; its actions are pinned as in our own workflows. */
export const WORKFLOW = `name: async gain
on:
  pull_request:
permissions:
  contents: read
  pull-requests: write
jobs:
  gate:
    runs-on: ubuntu-latest
    timeout-minutes: 60
    steps:
      - uses: actions/checkout@df4cb1c069e1874edd31b4311f1884172cec0e10 # v6.0.3
        with:
          fetch-depth: 2
          # The app runs in this job; git needs no token in the workspace.
          persist-credentials: false
      - uses: org/async-php-bench@v1
`
