/** `init`: examines a repository and writes the files that measuring it needs. */
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CONFIG_FILE } from '../config/inputs.ts'
import { ENTRY } from '../config/schema.ts'
import { Git } from '../revisions/git.ts'
import { InputError } from '../system/errors.ts'
import { detect } from './init/frameworks.ts'
import { fitted } from './init/kept-config.ts'
import { type Repository, repositoryAt } from './init/repository.ts'
import { phpFor, workflowText } from './init/workflow.ts'
import { INIT_OPTIONS } from './options.ts'
import { print } from './terminal.ts'
import type { Verb } from './verb.ts'

const WORKFLOW_FILE = '.github/workflows/async-php-bench.yml'

export const init: Verb = {
  name: 'init',
  about: 'write a configuration, a workflow and, if the app needs one, bench/app.php',
  options: INIT_OPTIONS,
  run: async (values) => {
    const workspace = resolve(values.text('workspace') || '.')
    const lines = await prepareRepository(workspace, { overwrites: values.has('force'), writes: !values.has('check') })
    print(lines.join('\n'))
    return 0
  },
}

/**
 * @returns the findings, one line per written file, and the next steps
 * @throws InputError if the workspace is no directory, or composer.json or composer.lock cannot be read
 */
export async function prepareRepository(
  workspace: string,
  { overwrites, writes }: { overwrites: boolean; writes: boolean },
): Promise<string[]> {
  if (!statSync(workspace, { throwIfNoEntry: false })?.isDirectory())
    throw new InputError(
      `workspace: found ${workspace}, which ${existsSync(workspace) ? 'is not a directory' : 'does not exist'}; allowed: the root of a repository`,
    )
  const repository = repositoryAt(workspace, overwrites)
  const framework = fitted(detect(repository), repository)
  const php = phpFor(repository)
  const files: [string, string][] = [
    ...Object.entries(framework.files),
    [CONFIG_FILE, framework.config],
    [WORKFLOW_FILE, workflowText(php)],
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
  // A hand-written entry file is committed with the configuration that needs it.
  const isOwn =
    !names.includes(ENTRY) && existsSync(join(workspace, ENTRY)) && !framework.next.some((step) => step.includes(`git rm ${ENTRY}`))
  return [
    `found: ${framework.name} (${reason(repository, framework.seen)})`,
    `saw: ${repository.saw().join(', ') || 'none of the files that init knows'}`,
    `PHP of the workflow: ${php.version}, ${php.why}`,
    ...done,
    ...framework.excluded,
    ...[
      ...framework.next,
      ...(await commitCommands(workspace, isOwn ? [ENTRY, ...names] : names)),
      // Base has none of these files yet: compared with it, nothing could be gated.
      `to try it, compare the commit with itself: node dist/cli.js run ${workspace === process.cwd() ? '' : `--workspace ${workspace} `}--profile quick --baseline HEAD`,
    ].map((line) => `next: ${line}`),
  ]
}

function reason({ hasComposerJson }: Repository, seen: string[]): string {
  if (!hasComposerJson) return 'there is no composer.json'
  return seen.length ? `composer.json requires ${seen.join(', ')}` : 'composer.json requires no known framework'
}

/** Base and head are commits, so uncommitted files are not measured. */
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
