/** The image of a service: the configured one, else the official one. If that cannot be pulled, it is built from the base's packages. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../../system/errors.ts'
import { subdirectory } from '../../../system/scratch.ts'
import { CACHE_LABEL } from '../daemon/labels.ts'
import { bring, build, cacheTag, HERE, idOf } from './build.ts'
import type { ImageJob } from './equip.ts'

export interface ServiceKind {
  /** Its name in messages. */
  name: string
  official: string
  /** Debian's package. Undefined: only the official image is possible. */
  package: string | undefined
}

export const MYSQL_KINDS = {
  mysql: { name: 'MySQL', official: 'mysql:8.4', package: undefined },
  mariadb: { name: 'MariaDB', official: 'mariadb:11.4', package: 'mariadb-server' },
} as const satisfies Record<string, ServiceKind>
export const POSTGRES: ServiceKind = { name: 'PostgreSQL', official: 'postgres:17', package: 'postgresql' }
export const REDIS: ServiceKind = { name: 'Redis', official: 'redis:7', package: 'redis-server' }

const DOCKERFILE = join(HERE, 'service.Dockerfile')

/**
 * @param configured the configured image, which nothing replaces
 * @param base an image with apt
 * @throws MeasurementError if there is no image
 */
export async function serviceImage(
  kind: ServiceKind,
  configured: string | undefined,
  base: string,
  { directory, say, cache }: Pick<ImageJob, 'directory' | 'say' | 'cache'>,
): Promise<string> {
  const name = configured ?? kind.official
  try {
    await bring(name)
    return name
  } catch (error) {
    if (configured || kind.package === undefined) throw error
    say(`${messageOf(error)} So ${kind.name} comes from the packages of ${base} instead`)
  }
  const tag = cacheTag('service', await bring(base), readFileSync(DOCKERFILE, 'utf8'), kind.package)
  if (await idOf(tag)) return tag
  const context = subdirectory(directory, `image-of-${kind.package}`)
  const args = ['--build-arg', `BASE=${base}`, '--build-arg', `PACKAGE=${kind.package}`]
  await build([...args, '--label', CACHE_LABEL, '--tag', tag, '--file', DOCKERFILE, context], `an image of ${kind.name}`, {
    name: kind.package,
    layers: cache?.layers,
    say,
  })
  return tag
}
