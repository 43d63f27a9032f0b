/** The result of looking for one need on the machine. */
import type { DownloadNeed, PeclPackage } from '../config/runtimes.ts'

/** One need and what was found. */
export interface Finding {
  name: string
  /** Why it is needed. */
  why: string
  /** Unknown: it cannot be checked here. */
  state: 'found' | 'missing' | 'unknown'
  /** The version, or the fault. */
  detail: string
  /** Where it was found. */
  path?: string | undefined
  /** Debian packages that provide it. `otherwise` holds any other way. */
  apt: string[]
  /** Whether only the analysis needs it. */
  isForAnalysis?: boolean | undefined
  otherwise?:
    | { kind: 'pecl'; pecl: PeclPackage; asked: string | undefined }
    | { kind: 'composer' | 'npm'; directory: string }
    | { kind: 'download'; need: DownloadNeed; url: string }
    | undefined
}
