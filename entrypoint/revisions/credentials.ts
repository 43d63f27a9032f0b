/** The token of the job, for a git command that asks the server. Pure. */

/** In the repository's own configuration, where an earlier step of the job may have put them: another way, or a program on it. */
const DETOUR = /^(filter|http|url|protocol|core\.gitproxy)\b/
const USUAL = /^http\.[^\n]*\.extraheader$|^filter\.lfs\.required$/
const LFS = /^filter\.lfs\.(clean|smudge|process)\ngit-lfs (clean|smudge|filter-process)( --skip)?( -- %f)?$/

/**
 * Variables that live as long as the command: the token is never in .git/config and never in a command line.
 *
 * @param server as in GITHUB_SERVER_URL
 */
export function credentialVariables(server: string, token: string): Record<string, string> {
  const header = `http.${server}/.extraheader`
  const settings = [
    // Empty first: it takes away the header that actions/checkout left in the workspace, since GitHub refuses a second one.
    [header, ''],
    [header, `AUTHORIZATION: basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`],
    // Programs that git would ask where the server refuses the token.
    ['credential.helper', ''],
    ['core.askPass', ''],
  ]
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(settings.length)],
    ...settings.flatMap(([key, value], i) => [
      [`GIT_CONFIG_KEY_${i}`, key],
      [`GIT_CONFIG_VALUE_${i}`, value],
    ]),
  ])
}

/** Whether a repository's own configuration could lead the token elsewhere. @param list of `git config --list --show-scope -z` */
export function isElsewhere(list: string): boolean {
  const fields = list.split('\0')
  return fields.some((setting, i) => {
    const scope = fields[i - 1]
    if (i % 2 === 0 || (scope !== 'local' && scope !== 'worktree')) return false
    const [name = ''] = setting.split('\n')
    return DETOUR.test(name) && !USUAL.test(name) && !LFS.test(setting)
  })
}
