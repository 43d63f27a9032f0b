/** Files in the workspace that no commit has. Base and head are commits, so these files are not measured. */
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { entryPathOf } from '../config/rules.ts'
import type { Config } from '../config/schema.ts'
import { InputError } from '../system/errors.ts'
import type { Git } from './git.ts'

/** The number of names that a message shows. */
const SHOWN = 5

/** @throws InputError if the entry file is in the workspace but not in head. The message has the commands that commit it */
export async function refuseUncommittedApp(
  git: Git,
  workspace: string,
  served: Pick<Config, 'app' | 'front'>,
  head: string,
): Promise<void> {
  const [key, app] = [served.front ? 'front' : 'app', entryPathOf(served)]
  if (!existsSync(join(workspace, app)) || (await isIn(git, head, app))) return
  const commit = head.slice(0, 10)
  if (await isIn(git, head, `./${app}`)) {
    const folder = await git.run('rev-parse', '--show-prefix')
    throw new InputError(
      `workspace: ${workspace} is the folder ${folder} of a repository. A revision is the whole repository, which has no ${app}. Allowed: the root of a repository, with \`${key}:\` set to the path of the entry file.`,
    )
  }
  const isIgnored = (await git.try('check-ignore', '--quiet', '--', app)) !== undefined
  throw new InputError(
    [
      `${key}: ${app} exists but is not committed. Base and head are commits, and the commit ${commit} does not contain it.${isIgnored ? ' It is ignored by a .gitignore.' : ''} Run:`,
      `  git add ${isIgnored ? '--force ' : ''}${quoted(app)} && git commit --message "Add ${app}"`,
    ].join('\n'),
  )
}

/**
 * Warnings about files that were changed since the commit, and about untracked files that are not ignored.
 *
 * @param source path of the configuration file, which is used as it is in the workspace
 */
export async function warningsOfUncommitted(git: Git, workspace: string, source: string, head: string): Promise<string[]> {
  const file = relative(workspace, source)
  const differing = async (...filter: string[]): Promise<string[]> =>
    records(await git.run('diff', '--name-only', '-z', '--no-renames', ...filter, head))
  const [changed, deleted] = [await differing(), await differing('--diff-filter=D')]
  const untracked = records(
    await git.run('ls-files', '-z', '--others', '--exclude-standard', '--directory', '--no-empty-directory'),
  ).filter((name) => !isResults(join(workspace, name)))
  // Paths of changed files are relative to the repository, those of untracked files to the workspace.
  const fromRoot = `${await git.run('rev-parse', '--show-prefix')}${file}`
  const isDraft = changed.includes(fromRoot) || untracked.some((name) => file === name || (name.endsWith('/') && file.startsWith(name)))
  return [
    ...(isDraft
      ? [`warning: ${listed([file])} is used as it is in the workspace. It is not committed, so a pull request would not use it`]
      : []),
    ...notMeasured(
      changed.filter((name) => name !== fromRoot && !deleted.includes(name)),
      'changed and not committed',
      head,
    ),
    ...notMeasured(deleted, 'deleted, but not in a commit', head, 'with'),
    ...notMeasured(
      untracked.filter((name) => name !== file),
      'untracked',
      head,
    ),
  ]
}

function notMeasured(names: string[], what: string, head: string, as: 'with' | 'without' = 'without'): string[] {
  if (!names.length) return []
  const [noun, them] = names.length === 1 ? ['path is', 'it'] : ['paths are', 'them']
  return [`warning: ${names.length} ${noun} ${what} (${listed(names)}); the commit ${head.slice(0, 10)} is measured ${as} ${them}`]
}

/** Whether a commit has a path. A path that begins with `./` is relative to the workspace. */
async function isIn(git: Git, commit: string, path: string): Promise<boolean> {
  return (await git.try('cat-file', '-e', `${commit}:${path}`)) !== undefined
}

/** Whether an earlier measurement wrote this folder. */
function isResults(path: string): boolean {
  return existsSync(join(path, 'samples.csv')) && existsSync(join(path, 'run.json'))
}

function records(text: string): string[] {
  return text.split('\0').filter(Boolean)
}

function listed(names: string[]): string {
  const shown = names.slice(0, SHOWN).map((name) => name.replace(/\p{Cc}/gu, '?'))
  return names.length > SHOWN ? `${shown.join(', ')} and ${names.length - SHOWN} more` : shown.join(', ')
}

/** The path as one word for a shell. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
