/** Finds the path of a program. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { absolutePath } from './environment.ts'

/** Directories of servers, which may be missing in a user's PATH. */
const SERVERS = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/libexec']

export function which(name: string): string | undefined {
  return [...absolutePath(process.env.PATH).split(delimiter), ...SERVERS]
    .filter(Boolean)
    .map((directory) => join(directory, name))
    .find(existsSync)
}
