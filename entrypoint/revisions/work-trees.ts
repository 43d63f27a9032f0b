/** Checks out base and head as two work trees. */
import { join } from 'node:path'
import type { Revision } from '../config/experiment.ts'
import type { Chosen } from './base-commit.ts'
import { Git } from './git.ts'

/** A checked-out revision. */
export interface Checkout {
  revision: Revision
  directory: string
  commit: string
  label: string
}

export interface Revisions {
  head: Checkout
  /** Absent if there is nothing to compare with; `withoutBase` has the reason. */
  base?: Checkout | undefined
  withoutBase?: string | undefined
}

/** @param directory the parent of the work trees */
export async function checkOut(git: Git, head: string, base: Chosen, directory: string): Promise<Revisions> {
  await git.try('worktree', 'prune')
  const tree = async (revision: Revision, commit: string, label: string): Promise<Checkout> => {
    const path = join(directory, revision)
    await git.run('worktree', 'add', '--quiet', '--force', '--detach', path, commit)
    return { revision, directory: path, commit, label }
  }
  const headTree = await tree('head', head, head.slice(0, 10))
  if ('none' in base) return { head: headTree, withoutBase: base.none }
  return { head: headTree, base: await tree('base', base.commit, base.label) }
}

/** Removes the work trees from the repository's list. Their directories are removed with the job's scratch directory. */
export async function forgetWorkTrees(revisions: Revisions, workspace: string): Promise<void> {
  const git = new Git(workspace)
  for (const checkout of [revisions.head, revisions.base]) {
    if (checkout) await git.try('worktree', 'remove', '--force', checkout.directory)
  }
  await git.try('worktree', 'prune')
}
