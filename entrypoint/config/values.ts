/** Schemas of values that several keys of the configuration share. */
import { z } from 'zod'

const NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/

export const name = z.string().regex(NAME, 'must be 1 to 40 of a-z, 0-9, ".", "_" and "-", beginning with a letter or digit')

export const scalar = z.union([z.string(), z.number(), z.boolean()])

/** The message for a value of another type. A value of this type gets the message of the check that it fails. */
export function shape(says: string): { error: (issue: { code?: string }) => string | undefined } {
  return { error: ({ code }) => (code === 'invalid_type' ? says : undefined) }
}

/** A path inside the repository: never absolute, never upwards. */
export const inside = z
  .string()
  .min(1)
  .refine((path) => !path.startsWith('/') && !path.split(/[\\/]/).includes('..'), 'must be a path inside the repository')
