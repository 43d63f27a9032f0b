/** The schema of `docker`: images and limits of the docker engine. */
import { z } from 'zod'
import { inside, scalar } from './values.ts'

export const docker = z
  .strictObject({
    dockerfile: inside.optional(),
    target: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be the name of a build stage')
      .optional(),
    image: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._/:@{}-]*$/, 'must be an image name; {commit} stands for the commit')
      .optional(),
    'build-args': z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), scalar).default({}),
    base: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._/:@-]*$/, 'must be an image name')
      .default('debian:bookworm-slim'),
    php: z
      .string()
      .regex(/^\d+\.\d+$/, 'must be a version such as "8.3", in quotes')
      .optional(),
    memory: z
      .string()
      .regex(/^\d+[mg]$/, 'must be a number with m or g, such as 2g')
      .nullable()
      .default(null),
    'read-only': z.boolean().default(true),
    'database-image': z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._/:@-]*$/, 'must be an image name')
      .optional(),
    'redis-image': z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._/:@-]*$/, 'must be an image name')
      .optional(),
    'database-storage': z.enum(['auto', 'tmpfs', 'disk']).default('auto'),
  })
  .refine(({ dockerfile, image }) => !(dockerfile && image), 'has both a dockerfile and an image; allowed: one of them')
