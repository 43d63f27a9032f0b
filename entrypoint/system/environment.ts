/** The environments of started programs, by lists of allowed variables. No program gets the job's own, which holds tokens and inputs. */
import { delimiter, isAbsolute } from 'node:path'

export type Environment = Readonly<Record<string, string>>

/** A program's directory and environment, which every start must name. */
export interface Surroundings {
  cwd: string
  env: Environment
}

/**
 * The directory of every program that needs no other. R, PHP, Composer, npm and others read files of the directory they are started
 * in. A pull request cannot put files into this one.
 */
const NEUTRAL = '/'

/** Variables that the app inherits. It gets no tokens, no inputs, and nothing that differs between machines. */
const APP = /^(PATH|HOME|USER|LANG|LC_[A-Z]+|TZ|TMPDIR)$/

/** Variables that this tool's programs inherit. The workflow, not a pull request, sets the directory of PHP's settings. */
const OURS = /^(HOME|TMPDIR|PHP_INI_SCAN_DIR)$/

/** Network variables, for programs that download and run no code of the app, because a proxy's address can hold a password. */
export const NETWORK = /^((HTTPS?|FTP|ALL|NO)_PROXY|SSL_CERT_FILE|SSL_CERT_DIR|CURL_CA_BUNDLE|GIT_SSL_CAINFO)$/i

/** The variables of the job's environment whose names match. */
export function inherited(names: RegExp, job: Readonly<Record<string, string | undefined>> = process.env): Record<string, string> {
  return Object.fromEntries(
    Object.entries(job).filter((entry): entry is [string, string] => names.test(entry[0]) && entry[1] !== undefined),
  )
}

/** The variables that the app inherits from the job: paths and locale. Pure. */
export function ofApp(job: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return inherited(APP, job)
}

/** The least that a program needs, with messages in English. @param more variables for this program */
export function bare(more: Environment = {}): Record<string, string> {
  return { ...inherited(OURS), PATH: absolutePath(process.env.PATH), LC_ALL: 'C.UTF-8', XDEBUG_MODE: 'off', ...more }
}

/** bare() in the neutral directory. */
export function apart(more: Environment = {}): Surroundings {
  return { cwd: NEUTRAL, env: bare(more) }
}

/** bare() for a program that downloads. */
export function online(more: Environment = {}): Record<string, string> {
  return { ...inherited(NETWORK), ...bare(more) }
}

/** apart() for a program that downloads. */
export function apartOnline(more: Environment = {}): Surroundings {
  return { cwd: NEUTRAL, env: online(more) }
}

/** A PATH without relative entries, because a pull request could put a program into the current directory. Pure. */
export function absolutePath(path: string | undefined): string {
  return (path ?? '').split(delimiter).filter(isAbsolute).join(delimiter)
}
