/** Writes what a repository needs to be measured, after a look at its composer.json. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CONFIG_FILE } from '../config/inputs.ts'
import { InputError } from '../system/errors.ts'
import { detect } from './frameworks.ts'

const WORKFLOW_FILE = '.github/workflows/async-php-bench.yml'

/** @returns what was done, a line a file @throws InputError if composer.json cannot be read */
export function init(workspace: string, force: boolean): string[] {
  const framework = detect(packagesOf(workspace))
  const files: [string, string][] = [
    ...(framework.app ? [['bench/app.php', framework.app] as [string, string]] : []),
    [CONFIG_FILE, framework.config],
    [WORKFLOW_FILE, WORKFLOW],
  ]
  const done = files.map(([name, content]) => {
    const file = join(workspace, name)
    if (existsSync(file) && !force) return `${name}: is there already, left as it is (--force overwrites)`
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    return `${name}: written`
  })
  return [`found: ${framework.name}`, ...done, ...framework.next.map((line) => `next: ${line}`)]
}

function packagesOf(workspace: string): string[] {
  const file = join(workspace, 'composer.json')
  if (!existsSync(file)) return []
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
