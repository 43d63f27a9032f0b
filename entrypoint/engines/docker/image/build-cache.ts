/** The layer cache of Actions, which builds on GitHub use if buildx is available. */
import { existsSync } from 'node:fs'
import type { CacheScope } from '../../../system/cache-scope.ts'
import { inherited } from '../../../system/environment.ts'
import { tryDocker } from '../daemon/docker.ts'

/**
 * Of builders that can write to the cache. Undefined if buildx is not there. Its key goes to the client of such a build only,
 * which hands it to the frontend of the Dockerfile: see frontend.ts.
 *
 * @param name of the layers, which other images do not look for
 * @param scope whose layers the job may take, and whose it may add to
 */
export async function cachedBuild(name: string, scope: CacheScope): Promise<CachedBuild | undefined> {
  builder ??= makeBuilder()
  const builderName = await builder
  return builderName ? { arguments: cached(name, scope, builderName, process.arch), variables: inherited(KEY) } : undefined
}

export interface CachedBuild {
  /** What `docker` is called with before the image's own arguments. */
  arguments: string[]
  /** Of the cache: address and key. */
  variables: Record<string, string>
}

/** The runner's variables that buildx looks for. */
const KEY = /^ACTIONS_(RUNTIME_TOKEN|RESULTS_URL|CACHE_URL|CACHE_SERVICE_V2)$/

const PREFIX = 'async-php-bench-'
let builder: Promise<string | undefined> | undefined

/** Only a builder in a container of its own can write to the cache. Undefined if there is no buildx. */
async function makeBuilder(): Promise<string | undefined> {
  const name = `${PREFIX}${process.pid}`
  return (await tryDocker(['buildx', 'create', '--name', name, '--driver', 'docker-container'])).code === 0 ? name : undefined
}

/** Once the images are built: what is measured later shares its machine with no builder. */
export async function removeBuilder(): Promise<void> {
  const name = await builder
  builder = undefined
  if (name) await tryDocker(['buildx', 'rm', '--force', name])
}

/** Those of jobs that were killed hard. Builders are known to this machine's docker client only, so their process was here. */
export async function removeForgottenBuilders(): Promise<void> {
  for (const name of forgottenBuilders((await tryDocker(['buildx', 'ls'])).stdout, (pid) => existsSync(`/proc/${pid}`))) {
    await tryDocker(['buildx', 'rm', '--force', name])
  }
}

/** Pure. @param list what `docker buildx ls` prints: builders at the start of a line, their nodes indented below them */
export function forgottenBuilders(list: string, isAlive: (pid: number) => boolean): string[] {
  return [...list.matchAll(new RegExp(`^${PREFIX}(\\d+)\\b`, 'gm'))].filter(([, pid]) => !isAlive(Number(pid))).map(([name]) => name)
}

/**
 * What `docker` is called with before the image's own arguments. Pure.
 *
 * @param arch of the processor: layers of another one would take their place
 */
export function cached(name: string, { reads, writes }: CacheScope, builderName: string, arch: string): string[] {
  const scope = (owner: string): string => `type=gha,scope=${PREFIX}${owner}-${name}-${arch}`
  return [
    ...['buildx', 'build', '--builder', builderName, '--load'],
    ...reads.flatMap((owner) => ['--cache-from', scope(owner)]),
    ...(writes ? ['--cache-to', `${scope(writes)},mode=max,ignore-error=true`] : []),
  ]
}
