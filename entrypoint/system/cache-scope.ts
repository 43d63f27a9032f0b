/** Which entries of the cache service a job may read and write: a pull request's lie apart from those of the repository's branches. Pure. */

/** Of the job, as its environment tells it. */
export interface CacheScope {
  /** First parts of the keys that the job looks for, in order. */
  reads: readonly string[]
  /** Undefined: the job saves nothing. */
  writes: string | undefined
}

type Job = Readonly<Record<string, string | undefined>>

/** What branches of the repository made. */
const TRUSTED = 'trusted'
/** Their code is the repository's. Every other event can run code of a pull request with the cache of the default branch. */
const OWN_CODE = ['push', 'schedule', 'release']

/** @param job GITHUB_EVENT_NAME, and GITHUB_REF, which names the pull request */
export function cacheScope(job: Job): CacheScope {
  const event = job.GITHUB_EVENT_NAME ?? ''
  if (OWN_CODE.includes(event)) return { reads: [TRUSTED], writes: TRUSTED }
  const number = event === 'pull_request' ? /^refs\/pull\/(\d+)\//.exec(job.GITHUB_REF ?? '')?.[1] : undefined
  if (number === undefined) return { reads: [TRUSTED], writes: undefined }
  return { reads: [TRUSTED, `pull-${number}`], writes: `pull-${number}` }
}

/** Whether only code of the repository's branches runs in the job. */
export function isTrusted({ writes }: CacheScope): boolean {
  return writes === TRUSTED
}

/** Changes with what the entries hold. */
const FORMAT = 'async-php-bench-1'

/** What the entries of one kind on one system begin with. @param kind such as `swoole` @param system such as `ubuntu-24.04-x64` */
export function keyPrefix(scope: string, kind: string, system: string): string {
  return `${FORMAT}/${scope}/${kind}/${system}/`
}

/** @param digest of fixed length, so that no key begins with another one */
export function cacheKey(scope: string, kind: string, system: string, digest: string): string {
  return `${keyPrefix(scope, kind, system)}${digest}`
}

/** The distribution and the processor that an entry was made on. @param osRelease the text of os-release(5) @param arch such as x64 */
export function systemName(osRelease: string, arch: string): string {
  const field = (name: string): string => new RegExp(`^${name}="?([^"\\n]*)"?$`, 'm').exec(osRelease)?.[1] ?? ''
  return [field('ID') || 'linux', field('VERSION_ID') || field('VERSION_CODENAME'), arch].filter(Boolean).join('-')
}
