/** The layer cache of Actions, which builds on GitHub use if buildx is available. */
import { existsSync } from 'node:fs'
import type { CacheScope } from '../../../system/cache-scope.ts'
import { inherited } from '../../../system/environment.ts'
import { tryDocker } from '../daemon/docker.ts'

/**
 * Prepares a builder that can write to the cache. Undefined without buildx. Only the client of such a build gets the cache's key, and
 * passes it to the Dockerfile's frontend: see frontend.ts.
 *
 * @param name the name of the layers, which other images do not use
 * @param scope the scopes whose layers the job may read and write
 */
export async function cachedBuild(name: string, scope: CacheScope): Promise<CachedBuild | undefined> {
  builder ??= makeBuilder()
  const builderName = await builder
  return builderName ? { arguments: cached(name, scope, builderName, process.arch), variables: inherited(KEY) } : undefined
}

export interface CachedBuild {
  /** Docker's arguments before the image's own. */
  arguments: string[]
  /** The address and key of the cache. */
  variables: Record<string, string>
}

/** The runner's variables that buildx reads. */
const KEY = /^ACTIONS_(RUNTIME_TOKEN|RESULTS_URL|CACHE_URL|CACHE_SERVICE_V2)$/

const PREFIX = 'async-php-bench-'
let builder: Promise<string | undefined> | undefined

/** Creates a builder in its own container, because only such a builder can write to the cache. Undefined without buildx. */
async function makeBuilder(): Promise<string | undefined> {
  const name = `${PREFIX}${process.pid}`
  return (await tryDocker(['buildx', 'create', '--name', name, '--driver', 'docker-container'])).code === 0 ? name : undefined
}

/** Called once the images are built, so that no builder disturbs the measurement. */
export async function removeBuilder(): Promise<void> {
  const name = await builder
  builder = undefined
  if (name) await tryDocker(['buildx', 'rm', '--force', name])
}

/** Removes the builders of jobs that were killed hard. Only this machine's docker client knows them, so their process ran here. */
export async function removeForgottenBuilders(): Promise<void> {
  for (const name of forgottenBuilders((await tryDocker(['buildx', 'ls'])).stdout, (pid) => existsSync(`/proc/${pid}`))) {
    await tryDocker(['buildx', 'rm', '--force', name])
  }
}

/** Pure. @param list output of `docker buildx ls`: builders at the start of a line, their nodes indented below them */
export function forgottenBuilders(list: string, isAlive: (pid: number) => boolean): string[] {
  return [...list.matchAll(new RegExp(`^${PREFIX}(\\d+)\\b`, 'gm'))].filter(([, pid]) => !isAlive(Number(pid))).map(([name]) => name)
}

/**
 * Docker's arguments before the image's own. Pure.
 *
 * @param arch the processor, so that layers of another one are not replaced
 */
export function cached(name: string, { reads, writes }: CacheScope, builderName: string, arch: string): string[] {
  const scope = (owner: string): string => `type=gha,scope=${PREFIX}${owner}-${name}-${arch}`
  return [
    ...['buildx', 'build', '--builder', builderName, '--load'],
    ...reads.flatMap((owner) => ['--cache-from', scope(owner)]),
    ...(writes ? ['--cache-to', `${scope(writes)},mode=max,ignore-error=true`] : []),
  ]
}
