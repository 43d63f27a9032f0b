/** Runs git. It is the only program that this tool runs in the workspace, so programs that the repository's configuration names are off. */
import { online } from '../system/environment.ts'
import { InputError } from '../system/errors.ts'
import { exec } from '../system/exec.ts'
import { credentialVariables, isElsewhere } from './credentials.ts'

/** Switches off the programs that a repository's configuration can start, and bare repositories among a pull request's files. */
const HARDENED = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.alternateRefsCommand=true',
  'protocol.ext.allow=never',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'safe.bareRepository=explicit',
  // Maintenance would run on in the background, with the environment of the command before it.
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting])

/** Commands that may ask the server. A partial clone fetches a file when it is read, and LFS when it is checked out. */
const ASKING = new Set(['fetch', 'cat-file', 'ls-tree', 'worktree'])

export class Git {
  constructor(
    readonly directory: string,
    private readonly token = '',
    private readonly server = process.env.GITHUB_SERVER_URL ?? '',
  ) {}

  /** Output of a command that must succeed. @throws InputError with git's own message */
  async run(...args: string[]): Promise<string> {
    const done = await this.exec(args)
    if (done.code !== 0) throw new InputError(`git ${args[0]}: ${done.stderr.trim().split('\n').slice(-3).join('; ') || 'failed'}`)
    return done.stdout.trim()
  }

  /** Output of a command, or undefined if it fails. */
  async try(...args: string[]): Promise<string | undefined> {
    const done = await this.exec(args)
    return done.code === 0 ? done.stdout.trim() : undefined
  }

  /** The text of a file in a commit, or undefined if it cannot be read. Without a work tree, no link is followed and no filter runs. */
  async blob(commit: string, path: string): Promise<string | undefined> {
    const done = await this.exec(['cat-file', 'blob', `${commit}:${path}`])
    return done.code === 0 ? done.stdout : undefined
  }

  /** The commit of HEAD. @throws InputError if the directory is no repository, or has no commit */
  async head(): Promise<string> {
    if (!(await this.isRepository())) throw new InputError(`${this.directory}: not a git repository. Base and head must be commits.`)
    const commit = await this.commit('HEAD')
    if (!commit) throw new InputError(`${this.directory}: the repository has no commit yet.`)
    return commit
  }

  async isRepository(): Promise<boolean> {
    return (await this.try('rev-parse', '--show-toplevel')) !== undefined
  }

  /** The hash of a commit that this clone has. */
  commit(ref: string): Promise<string | undefined> {
    return this.try('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`)
  }

  /** The commit of a ref. If this clone lacks it, it is fetched. */
  async reach(ref: string): Promise<string | undefined> {
    const here = await this.commit(ref)
    if (here) return here
    if (!(await this.try('remote', 'get-url', 'origin'))) return undefined
    if (/^[0-9a-f]{40}$/.test(ref)) {
      await this.try('fetch', '--quiet', '--no-tags', '--depth=1', 'origin', ref)
    } else if ((await this.try('rev-parse', '--is-shallow-repository')) === 'true') {
      await this.try('fetch', '--quiet', '--tags', '--unshallow', 'origin')
    } else {
      await this.try('fetch', '--quiet', '--tags', 'origin')
    }
    return (await this.commit(ref)) ?? (await this.commit(`origin/${ref}`))
  }

  /** Whether a checkout left its token in the workspace's configuration, where the app can read it. */
  async holdsToken(): Promise<boolean> {
    return /extraheader[^\n]*\n[^\0]*authorization/i.test(await this.ownSettings())
  }

  private async exec(args: string[]) {
    const credentials = ASKING.has(args[0] as string) ? await this.credentials() : {}
    const env = online({ GIT_TERMINAL_PROMPT: '0', GIT_NO_REPLACE_OBJECTS: '1', ...credentials })
    return exec(['git', '-c', `safe.directory=${this.directory}`, ...HARDENED, ...args], { cwd: this.directory, env, timeoutMs: 300_000 })
  }

  /** The token, if the remote is on the job's own server and the workspace's configuration cannot redirect it. */
  private async credentials(): Promise<Record<string, string>> {
    if (!this.token || !this.server) return {}
    const remote = await this.try('remote', 'get-url', 'origin')
    if (!remote?.startsWith(`${this.server}/`) || isElsewhere(await this.ownSettings())) return {}
    return credentialVariables(this.server, this.token)
  }

  /** The repository's settings, as git prints them with -z: scope, then name and value. */
  private async ownSettings(): Promise<string> {
    return (await this.try('config', '--list', '--show-scope', '-z')) ?? ''
  }
}
