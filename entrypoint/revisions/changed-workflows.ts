/** Changes of what runs the gate, and of what could pass for it: GitHub runs head's workflows, so a reader must know. */
import { realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { code } from '../system/markdown.ts'
import type { Git } from './git.ts'
import type { Revisions } from './work-trees.ts'
import { isLike, jobNames, localUses } from './workflow-file.ts'

const FOLDER = '.github/workflows/'
/** Of the pair, besides the names of its jobs. */
const CHECK = 'async gain'
/** As `runs:` of an action at the root of the repository may name them; there all files are in the action's folder. */
const ACTION_FILES = /^(action\.ya?ml|Dockerfile|dist\/.*)$/
const MOST_FILES = 10

/**
 * @param workflowRef as in GITHUB_WORKFLOW_REF
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
    // One that cannot be read here may be readable there.
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
    ...posing.map(
      (file) =>
        `Head changes or adds ${code(file)}, with a job that GitHub may show under the name of this check: it could be green in its place. Review that change as well.`,
    ),
    ...(rest.length ? [`Head also changes other workflows: ${list(rest)}. They run as head wrote them. Review that change as well.`] : []),
  ]
}

/** Everything of the repository that a workflow uses, by other workflows and actions too: base's view, since a change of them is announced. */
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

/** Where a path of base leads: an action may be a link to its folder. */
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
