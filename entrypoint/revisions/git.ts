/** git, with its answers as text. */
import { InputError } from '../system/errors.ts'
import { exec } from '../system/exec.ts'

export class Git {
  constructor(
    readonly directory: string,
    private readonly token = '',
    private readonly server = process.env.GITHUB_SERVER_URL ?? '',
  ) {}

  /** Output of a command that must work. @throws InputError with git's own words */
  async run(...args: string[]): Promise<string> {
    const done = await this.exec(args)
    if (done.code !== 0) throw new InputError(`git ${args[0]}: ${done.stderr.trim().split('\n').slice(-3).join('; ') || 'failed'}`)
    return done.stdout.trim()
  }

  /** Output of a command, or undefined where it fails. */
  async try(...args: string[]): Promise<string | undefined> {
    const done = await this.exec(args)
    return done.code === 0 ? done.stdout.trim() : undefined
  }

  /** The commit of HEAD. @throws InputError if the directory is no repository, or has no commit */
  async head(): Promise<string> {
    if (!(await this.isRepository())) throw new InputError(`${this.directory}: not a git repository. Base and head are two of its commits.`)
    const commit = await this.commit('HEAD')
    if (!commit) throw new InputError(`${this.directory}: the repository has no commit yet.`)
    return commit
  }

  async isRepository(): Promise<boolean> {
    return (await this.try('rev-parse', '--show-toplevel')) !== undefined
  }

  /** The full name of a commit that is here. */
  commit(ref: string): Promise<string | undefined> {
    return this.try('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`)
  }

  /** The commit of a ref; a shallow clone is deepened as far as needed. */
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

  private exec(args: string[]) {
    // The token goes by environment and lives as long as this command: never in .git/config, never in a command line.
    const credentials =
      this.token && this.server
        ? {
            GIT_CONFIG_COUNT: '2',
            // Empty first: it takes away the header that actions/checkout left in the workspace, since GitHub refuses a second one.
            GIT_CONFIG_KEY_0: `http.${this.server}/.extraheader`,
            GIT_CONFIG_VALUE_0: '',
            GIT_CONFIG_KEY_1: `http.${this.server}/.extraheader`,
            GIT_CONFIG_VALUE_1: `AUTHORIZATION: basic ${Buffer.from(`x-access-token:${this.token}`).toString('base64')}`,
          }
        : {}
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, LC_ALL: 'C.UTF-8', GIT_TERMINAL_PROMPT: '0', ...credentials }
    return exec(['git', '-c', `safe.directory=${this.directory}`, ...args], { cwd: this.directory, env, timeoutMs: 300_000 })
  }
}
