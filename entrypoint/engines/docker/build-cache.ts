/** How an image is built: plainly, or on GitHub with the layer cache of Actions where buildx is there. */
import { tryDocker } from './docker.ts'

/** The classic builder would leave the container of a step that failed. */
const PLAIN = ['build', '--force-rm']

/** What `build` begins with. */
export async function cacheFlags(scope: string | undefined): Promise<string[]> {
  if (scope === undefined || !hasActionsCache(process.env)) return PLAIN
  return (await builder()) ? cached(scope, BUILDER) : PLAIN
}

const BUILDER = 'async-php-bench'
let isReady: Promise<boolean> | undefined

/** Only a builder in a container of its own can write to the cache. */
function builder(): Promise<boolean> {
  isReady ??= (async () => {
    if ((await tryDocker(['buildx', 'inspect', BUILDER])).code === 0) return true
    return (await tryDocker(['buildx', 'create', '--name', BUILDER, '--driver', 'docker-container'])).code === 0
  })()
  return isReady
}

/** Pure. The cache's address and key are in the environment of an Action's step, not of a shell's. */
export function hasActionsCache(env: Record<string, string | undefined>): boolean {
  return Boolean(env.ACTIONS_RUNTIME_TOKEN && (env.ACTIONS_RESULTS_URL || env.ACTIONS_CACHE_URL))
}

/** Pure. */
export function cached(scope: string, builderName: string): string[] {
  const name = `async-php-bench-${scope}`
  return [
    'buildx',
    'build',
    '--builder',
    builderName,
    '--load',
    '--cache-from',
    `type=gha,scope=${name}`,
    '--cache-to',
    `type=gha,scope=${name},mode=max,ignore-error=true`,
  ]
}
