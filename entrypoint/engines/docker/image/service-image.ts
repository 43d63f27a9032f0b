/** The image of a service: the configured one, else the official one. If that cannot be pulled, it is built from the base's packages. */
import { messageOf } from '../../../system/errors.ts'
import { bring } from './build.ts'
import type { ImageJob } from './equip.ts'
import { packageImage } from './package-image.ts'

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

/**
 * @param configured the configured image, which nothing replaces
 * @param base an image with apt
 * @throws MeasurementError if there is no image
 */
export async function serviceImage(
  kind: ServiceKind,
  configured: string | undefined,
  base: string,
  job: Pick<ImageJob, 'directory' | 'say' | 'cache'>,
): Promise<string> {
  const name = configured ?? kind.official
  try {
    await bring(name)
    return name
  } catch (error) {
    if (configured || kind.package === undefined) throw error
    job.say(`${messageOf(error)} So ${kind.name} comes from the packages of ${base} instead`)
  }
  return packageImage(base, kind.package, kind.name, job)
}
