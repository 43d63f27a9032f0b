/** Passes the job's token to a git command that asks the server. Pure. */

/** Settings of the repository that redirect a request or run a program on its way. An earlier step may have set them. */
const DETOUR = /^(filter|http|url|protocol|core\.gitproxy)\b/
const USUAL = /^http\.[^\n]*\.extraheader$|^filter\.lfs\.required$/
const LFS = /^filter\.lfs\.(clean|smudge|process)\ngit-lfs (clean|smudge|filter-process)( --skip)?( -- %f)?$/

/**
 * Variables for one command, so that the token is never in .git/config or in a command line.
 *
 * @param server the value of GITHUB_SERVER_URL
 */
export function credentialVariables(server: string, token: string): Record<string, string> {
  const header = `http.${server}/.extraheader`
  const settings = [
    // The empty value removes the header that actions/checkout left in the workspace, because GitHub refuses a second one.
    [header, ''],
    [header, `AUTHORIZATION: basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`],
    // git would ask these programs if the server refused the token.
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

/** Whether a repository's own configuration could send the token elsewhere. @param list output of `git config --list --show-scope -z` */
export function isElsewhere(list: string): boolean {
  const fields = list.split('\0')
  return fields.some((setting, i) => {
    const scope = fields[i - 1]
    if (i % 2 === 0 || (scope !== 'local' && scope !== 'worktree')) return false
    const [name = ''] = setting.split('\n')
    return DETOUR.test(name) && !USUAL.test(name) && !LFS.test(setting)
  })
}
