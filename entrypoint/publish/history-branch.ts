/** The branch that keeps the history. The default branch's configuration must name it, and it must hold nothing else. */
import { parseConfig } from '../config/parse.ts'
import { InputError } from '../system/errors.ts'
import { type Client, orNothing, type Repository } from './client.ts'

/**
 * @param asked the branch in this revision's configuration; only the default branch's counts
 * @param file the configuration, relative to the repository's root
 * @param input the branch that the workflow names; as every input, it wins over the file
 * @throws InputError if the default branch names another branch, or the branch is the default one or protected
 */
export async function historyBranch(
  api: Client,
  repository: Repository,
  asked: string,
  file: string,
  input: string | undefined,
): Promise<string> {
  const { data } = await api.rest.repos.get({ ...repository })
  const main = data.default_branch
  const branch = input !== undefined ? input : await namedOn(api, repository, main, file)
  if (branch !== asked)
    throw new InputError(`history-branch: found "${asked}", but the configuration on ${main} says ${branch ? `"${branch}"` : 'none'}`)
  if (branch === main) throw new InputError(`history-branch: "${branch}" is the default branch. Allowed: a branch for the history alone`)
  if (await isProtected(api, repository, branch))
    throw new InputError(`history-branch: "${branch}" is a protected branch. Allowed: a branch for the history alone`)
  return branch
}

async function namedOn(api: Client, repository: Repository, ref: string, path: string): Promise<string | null> {
  const content = await orNothing(api.rest.repos.getContent({ ...repository, path, ref }))
  const text = content && 'content' in content.data ? Buffer.from(content.data.content, 'base64').toString() : ''
  return parseConfig(text, `${path} on ${ref}`)['history-branch']
}

/** A branch that does not exist yet is not protected. */
async function isProtected(api: Client, repository: Repository, branch: string): Promise<boolean> {
  return (await orNothing(api.rest.repos.getBranch({ ...repository, branch })))?.data.protected ?? false
}
