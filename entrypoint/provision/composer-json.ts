/** The part of the app's composer.json that is read, and one requirement of it. Pure. */
import { z } from 'zod'
import type { Finding } from './finding.ts'

export const composerJson = z.object({
  require: z.record(z.string(), z.string()).optional(),
  config: z.object({ lock: z.boolean().optional() }).optional(),
})
export type ComposerJson = z.infer<typeof composerJson>

/** One requirement, as Composer or our own look-up reports it. */
export interface Requirement {
  /** Such as php, ext-curl or lib-icu. */
  name: string
  state: Finding['state']
  detail: string
  /** The package that requires it. */
  why: string
  /** Whether a package replaces the extension, so that no PHP needs it. */
  isStoodIn?: boolean
}

export const NOT_LOADED = 'not in php -m'

export function requiredByApp(constraint: string | undefined): string {
  if (constraint === undefined) return "one of the app's packages requires it"
  return `composer.json requires ${constraint === '*' ? 'it' : constraint}`
}
