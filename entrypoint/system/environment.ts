/** The environments of the programs that this tool starts: lists of what passes. The job's own holds tokens and inputs, and no program gets it. */
import { delimiter, isAbsolute } from 'node:path'

export type Environment = Readonly<Record<string, string>>

/** Where a program runs and what it knows: every start of one says both. */
export interface Surroundings {
  cwd: string
  env: Environment
}

/**
 * The directory of every program that needs none of its own. R, PHP, Composer, npm and others read files of the directory they are started in;
 * nothing of a pull request is in this one.
 */
const NEUTRAL = '/'

/** Taken over by the app. Everything else stays outside: tokens, inputs, and what differs between machines. */
const APP = /^(PATH|HOME|USER|LANG|LC_[A-Z]+|TZ|TMPDIR)$/

/** What the programs of ours take over. Where PHP's settings are is said by the workflow, not by a pull request. */
const OURS = /^(HOME|TMPDIR|PHP_INI_SCAN_DIR)$/

/** The way to the network, of programs that download and run nothing of the app. A proxy's address can hold a password. */
export const NETWORK = /^((HTTPS?|FTP|ALL|NO)_PROXY|SSL_CERT_FILE|SSL_CERT_DIR|CURL_CA_BUNDLE|GIT_SSL_CAINFO)$/i

/** The variables whose names match, of the job's environment. */
export function inherited(names: RegExp, job: Readonly<Record<string, string | undefined>> = process.env): Record<string, string> {
  return Object.fromEntries(
    Object.entries(job).filter((entry): entry is [string, string] => names.test(entry[0]) && entry[1] !== undefined),
  )
}

/** What the app takes over from the job: paths and locale. Pure. */
export function ofApp(job: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return inherited(APP, job)
}

/** What a program of ours needs to run at all, in a language that we can read. @param more variables of this program */
export function bare(more: Environment = {}): Record<string, string> {
  return { ...inherited(OURS), PATH: absolutePath(process.env.PATH), LC_ALL: 'C.UTF-8', XDEBUG_MODE: 'off', ...more }
}

/** bare(), in the neutral directory. */
export function apart(more: Environment = {}): Surroundings {
  return { cwd: NEUTRAL, env: bare(more) }
}

/** bare() of a program that downloads. */
export function online(more: Environment = {}): Record<string, string> {
  return { ...inherited(NETWORK), ...bare(more) }
}

/** apart() of a program that downloads. */
export function apartOnline(more: Environment = {}): Surroundings {
  return { cwd: NEUTRAL, env: online(more) }
}

/** Without the entries that mean the directory a program happens to be in: a pull request could put one there. Pure. */
export function absolutePath(path: string | undefined): string {
  return (path ?? '').split(delimiter).filter(isAbsolute).join(delimiter)
}
