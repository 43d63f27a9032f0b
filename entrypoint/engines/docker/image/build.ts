/** Pulls and builds images, and finds those that exist. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { PACKAGE } from '../../../config/catalog.ts'
import type { CacheScope } from '../../../system/cache-scope.ts'
import { MeasurementError } from '../../../system/errors.ts'
import { printed } from '../../../system/exec.ts'
import { lastLines } from '../../../system/tail.ts'
import { tryDocker } from '../daemon/docker.ts'
import { cachedBuild } from './build-cache.ts'

/** Our Dockerfiles, and the script that equips images. */
export const HERE = join(PACKAGE, 'entrypoint', 'engines', 'docker', 'image')
/** The scripts that run in containers. */
export const IN_CONTAINERS = join(PACKAGE, 'entrypoint', 'engines', 'docker', 'container')
/** For pulling, too. */
const BUILD_LIMIT_MS = 1_800_000

/** Uses an existing image unchanged, as `docker run` does. @returns its ID @throws MeasurementError */
export async function bring(name: string): Promise<string> {
  const here = await idOf(name)
  if (here) return here
  const pulled = await tryDocker(['pull', '--quiet', name], { timeoutMs: BUILD_LIMIT_MS })
  if (pulled.code !== 0)
    throw new MeasurementError(`The image ${name} is not on this machine and cannot be pulled: ${lastLines(printed(pulled), 3)}.`)
  return (await idOf(name)) as string
}

/** The ID of an existing image. */
export async function idOf(name: string): Promise<string | undefined> {
  const found = await tryDocker(['image', 'inspect', '--format', '{{.Id}}', name])
  return found.code === 0 ? found.stdout.trim() : undefined
}

/** The layers of one image in the cache of Actions. */
export interface LayerCache {
  name: string
  layers: CacheScope | undefined
  say: (line: string) => void
}

/**
 * Uses the layer cache if the layers have a name in it. The cache only saves time, so a build that fails with it is repeated without.
 * The builder may be impossible to pull, or may not see a base image that only this daemon has.
 *
 * @throws MeasurementError with the end of the log
 */
export async function build(args: string[], what: string, cache?: LayerCache): Promise<void> {
  const options = { timeoutMs: BUILD_LIMIT_MS }
  const withCache = cache?.layers && (await cachedBuild(cache.name, cache.layers))
  const first = withCache && (await tryDocker([...withCache.arguments, ...args], { ...options, variables: withCache.variables }))
  if (first?.code === 0) return
  // The classic builder would keep the container of a failed step.
  const done = await tryDocker(['build', '--force-rm', ...args], options)
  if (done.code !== 0)
    throw new MeasurementError(`${what} cannot be built:\n${ownWords(done.stdout + done.stderr) ?? lastLines(printed(done), 40)}`)
  if (first) cache?.say(`${what} was built without the layer cache, because the build with it failed: ${lastLines(printed(first), 1)}`)
}

/** Extracts the final message of equip.sh from the build's log. Pure. */
export function ownWords(log: string): string | undefined {
  // BuildKit begins each line with a step and a time.
  const lines = log.split('\n').map((line) => line.replace(/^#\d+ [\d.]+ /, ''))
  const start = lines.findIndex((line) => line.startsWith('async-php-bench: '))
  const end = lines.findIndex((line, i) => i > start && !/^( {2}|Put it)/.test(line))
  return start < 0 ? undefined : lines.slice(start, end < 0 ? undefined : end).join('\n')
}

/** The name of an image that later jobs use again. Pure. @param parts everything that determines the image */
export function cacheTag(kind: 'environment' | 'equipped' | 'package', ...parts: string[]): string {
  return `async-php-bench-${kind}:${createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16)}`
}
