/** An image with one more package of its base: a service, or a tool of ours. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { subdirectory } from '../../../system/scratch.ts'
import { CACHE_LABEL } from '../daemon/labels.ts'
import { bring, build, cacheTag, HERE, idOf } from './build.ts'
import type { ImageJob } from './equip.ts'

const DOCKERFILE = join(HERE, 'package.Dockerfile')

/**
 * @param base an image with apt
 * @param what its name in messages
 * @returns its tag; later jobs use it again
 * @throws MeasurementError if it cannot be built
 */
export async function packageImage(
  base: string,
  name: string,
  what: string,
  { directory, say, cache }: Pick<ImageJob, 'directory' | 'say' | 'cache'>,
): Promise<string> {
  const tag = cacheTag('package', await bring(base), readFileSync(DOCKERFILE, 'utf8'), name)
  if (await idOf(tag)) return tag
  const context = subdirectory(directory, `image-of-${name}`)
  const args = ['--build-arg', `BASE=${base}`, '--build-arg', `PACKAGE=${name}`]
  await build([...args, '--label', CACHE_LABEL, '--tag', tag, '--file', DOCKERFILE, context], `an image of ${what}`, {
    name,
    layers: cache?.layers,
    say,
  })
  return tag
}
