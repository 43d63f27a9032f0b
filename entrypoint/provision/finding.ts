/** The result of looking for one need on the machine. */
import type { PeclPackage } from '../config/runtimes.ts'

/** One need, looked up. */
export interface Finding {
  name: string
  /** Why it is needed. */
  why: string
  /** Unknown: nothing here can tell. */
  state: 'found' | 'missing' | 'unknown'
  /** Version, or what is missing. */
  detail: string
  /** Where it was found. */
  path?: string | undefined
  /** Debian packages that bring it; any further way is in `otherwise`. */
  apt: string[]
  /** Nothing that is served needs it. */
  isForAnalysis?: boolean | undefined
  otherwise?: { kind: 'pecl'; pecl: PeclPackage; asked: string | undefined } | { kind: 'composer'; directory: string } | undefined
}
