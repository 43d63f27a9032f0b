/** Announces changes to the gate's workflow and to workflows that could pose as it, because GitHub runs head's versions. */
import { realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { code } from '../system/markdown.ts'
import type { Git } from './git.ts'
import type { Revisions } from './work-trees.ts'
import { isLike, jobNames, localUses } from './workflow-file.ts'

const FOLDER = '.github/workflows/'
/** The check that `report` writes, beside those of the workflow's own jobs. */
const CHECK = 'async gain'
/** The files that count for an action at the root of the repository, where every file lies in the action's folder. */
const ACTION_FILES = /^(action\.ya?ml|Dockerfile|dist\/.*)$/
const MOST_FILES = 10

/**
 * @param workflowRef the value of GITHUB_WORKFLOW_REF
 * @returns sentences for the comment
 */
export async function changedWorkflows(git: Git, { base, head }: Revisions, workflowRef: string): Promise<string[]> {
  const own = /^[^/]+\/[^/]+\/(.+?\.ya?ml)@/.exec(workflowRef)?.[1]
  if (!own || !base) return []
  const textAt = async (commit: string, file: string): Promise<string> => (await git.try('cat-file', 'blob', `${commit}:${file}`)) ?? ''
  const changed = ((await git.try('diff', '--name-only', '--no-renames', '-z', base.commit, head.commit)) ?? '').split('\0').filter(Boolean)

  const used = (await usedBy(own, base.directory, (file) => textAt(base.commit, file))).filter((path) => path !== own)
  const isUsed = (file: string): boolean =>
    used.some((path) => (path === '' ? ACTION_FILES.test(file) : file === path || file.startsWith(`${path}/`)))
  const parts = changed.filter(isUsed)
  const others = changed.filter((file) => file.startsWith(FOLDER) && file !== own && !isUsed(file))

  const taken = [CHECK, ...(jobNames(await textAt(base.commit, own)) ?? [])]
  const posing: string[] = []
  for (const file of others) {
    const text = await textAt(head.commit, file)
    // GitHub may be able to read a file that this parser cannot.
    if (text && (jobNames(text)?.some((name) => isLike(name, taken)) ?? true)) posing.push(file)
  }
  const rest = others.filter((file) => !posing.includes(file))
  return [
    ...(changed.includes(own)
      ? [`Base and head have different versions of ${code(own)}, the workflow that runs this gate. Review that change as well.`]
      : []),
    ...(parts.length
      ? [`Base and head have different versions of ${list(parts)}, which the workflow of this gate uses. Review that change as well.`]
      : []),
    ...(posing.length
      ? [
          `Head changes or adds ${list(posing)}, with a job that GitHub may show under the name of this check, so it could pass in its place. Review that change as well.`,
        ]
      : []),
    ...(rest.length ? [`Head also changes other workflows: ${list(rest)}. They run as head wrote them. Review that change as well.`] : []),
  ]
}

/** The paths in base that a workflow uses, also through other workflows and actions. A change of any of them is announced. */
async function usedBy(workflow: string, directory: string, textOf: (file: string) => Promise<string>): Promise<string[]> {
  const found = [workflow]
  for (const path of found) {
    const files = /\.ya?ml$/.test(path) ? [path] : ['action.yml', 'action.yaml'].map((name) => (path ? `${path}/${name}` : name))
    for (const file of files) {
      for (const use of localUses(await textOf(file)).flatMap((one) => [one, behindLinks(directory, one)])) {
        if (!found.includes(use)) found.push(use)
      }
    }
  }
  return found
}

/** The real path of a path in base, because an action may be a link to its folder. */
function behindLinks(directory: string, path: string): string {
  try {
    const place = relative(realpathSync(directory), realpathSync(join(directory, path)))
    return place.startsWith('..') ? path : place
  } catch {
    return path
  }
}

function list(files: readonly string[]): string {
  const shown = files.slice(0, MOST_FILES).map(code).join(', ')
  return files.length > MOST_FILES ? `${shown} and ${files.length - MOST_FILES} more` : shown
}
