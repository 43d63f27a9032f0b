/** Decides which cache entries a job may read and write. A pull request's are separate from those of branches. Pure. */

/** The scopes of a job, from its environment. */
export interface CacheScope {
  /** The scopes whose entries the job looks for, in order. */
  reads: readonly string[]
  /** The scope of entries that the job saves, or undefined if it saves nothing. */
  writes: string | undefined
}

type Job = Readonly<Record<string, string | undefined>>

/** The scope of entries that jobs of the repository's branches saved. */
const TRUSTED = 'trusted'
/** Events that run only the repository's own code. Any other event can run a pull request's code with the default branch's cache. */
const OWN_CODE = ['push', 'schedule', 'release']

/** @param job the variables GITHUB_EVENT_NAME and GITHUB_REF, which names the pull request */
export function cacheScope(job: Job): CacheScope {
  const event = job.GITHUB_EVENT_NAME ?? ''
  if (OWN_CODE.includes(event)) return { reads: [TRUSTED], writes: TRUSTED }
  const number = event === 'pull_request' ? /^refs\/pull\/(\d+)\//.exec(job.GITHUB_REF ?? '')?.[1] : undefined
  if (number === undefined) return { reads: [TRUSTED], writes: undefined }
  return { reads: [TRUSTED, `pull-${number}`], writes: `pull-${number}` }
}

/** Whether the job runs only code of the repository's branches. */
export function isTrusted({ writes }: CacheScope): boolean {
  return writes === TRUSTED
}

/** A version, changed whenever the content of entries changes. */
const FORMAT = 'async-php-bench-1'

/** The prefix of the keys of one kind on one system. @param kind such as `swoole` @param system such as `ubuntu-24.04-x64` */
export function keyPrefix(scope: string, kind: string, system: string): string {
  return `${FORMAT}/${scope}/${kind}/${system}/`
}

/** @param digest has a fixed length, so that no key is the prefix of another */
export function cacheKey(scope: string, kind: string, system: string, digest: string): string {
  return `${keyPrefix(scope, kind, system)}${digest}`
}

/** Distribution and processor, as part of a key. @param osRelease the text of os-release(5) @param arch such as x64 */
export function systemName(osRelease: string, arch: string): string {
  const field = (name: string): string => new RegExp(`^${name}="?([^"\\n]*)"?$`, 'm').exec(osRelease)?.[1] ?? ''
  return [field('ID') || 'linux', field('VERSION_ID') || field('VERSION_CODENAME'), arch].filter(Boolean).join('-')
}
