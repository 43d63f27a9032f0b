/** Pull requests as GitHub checks them out, made in three git commands, without committing step by step. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bare } from '../system/environment.ts'
import { exec } from '../system/exec.ts'

/** Files of a commit by their path: text, or a symbolic link. */
export type Tree = Record<string, string | { link: string }>

export interface Commits {
  base: string
  head: string
  merge: string
}

/** A repository in an empty directory: base, head on top of it, and a checkout of the merge of head into base. */
export async function pullRequest(directory: string, base: Tree, head: Tree): Promise<Commits> {
  const marks = join(directory, '.git', 'marks')
  const stream = [
    commitOf(1, 'refs/heads/main', base),
    commitOf(2, 'refs/heads/topic', head, 'from :1'),
    commitOf(3, 'refs/pull/1/merge', head, 'from :1', 'merge :2'),
  ]
  await git(directory, ['-c', 'init.defaultBranch=main', 'init', '--quiet'])
  await git(directory, ['fast-import', '--quiet', `--export-marks=${marks}`], stream.join(''))
  await git(directory, ['checkout', '--quiet', '--detach', 'refs/pull/1/merge'])
  const [one, two, three] = readFileSync(marks, 'utf8').trim().split('\n').sort()
  const shaOf = (line = ''): string => line.split(' ')[1] as string
  return { base: shaOf(one), head: shaOf(two), merge: shaOf(three) }
}

function commitOf(mark: number, ref: string, tree: Tree, ...parents: string[]): string {
  const entries = Object.entries(tree).map(([path, content]) =>
    typeof content === 'string' ? `M 100644 inline ${path}\n${data(content)}` : `M 120000 inline ${path}\n${data(content.link)}`,
  )
  const lines = [`commit ${ref}`, `mark :${mark}`, 'committer test <test@localhost> 1700000000 +0000', data(ref), ...parents, 'deleteall']
  return [...lines, ...entries, ''].join('\n')
}

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}`

async function git(directory: string, args: string[], input = ''): Promise<void> {
  const done = await exec(['git', ...args], { cwd: directory, env: bare(), input })
  if (done.code !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr}`)
}
