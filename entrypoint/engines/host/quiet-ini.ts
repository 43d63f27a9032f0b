/** Copies PHP's ini files without the lines that load debuggers and profilers: they slow every request, and Xdebug crashes Swoole. */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { apart } from '../../system/environment.ts'
import { exec } from '../../system/exec.ts'

/** A line that loads one, by name or by file. */
const LOADS = /^[ \t]*(zend_)?extension[ \t]*=[ \t]*["']?([^\n"';]*\/)?(php_)?(xdebug|pcov|excimer)(\.so)?["']?[ \t]*(;.*)?$/gim

/** An ini file's text without the lines that load one. Pure. */
export function withoutDebuggers(text: string): string {
  return text.replace(LOADS, '')
}

/** The files that a PHP says it has parsed besides php.ini, in their order. Pure. @param information of `-i` */
export function parsedFiles(information: string): string[] {
  const list = /^Additional \.ini files parsed => ((?:.*,\n)*.*)$/m.exec(information)?.[1] ?? ''
  return list.split(/,\n?/).filter((file) => file.startsWith('/'))
}

/**
 * Copies them into a directory that a PHP can scan instead of its own.
 *
 * @param program php or php-fpm, each of which may have files of its own
 * @param directory empty
 */
export async function copyQuietIni(program: string, directory: string): Promise<void> {
  const { stdout } = await exec([program, '-i'], { ...apart(), timeoutMs: 30_000 })
  for (const [index, file] of parsedFiles(stdout).entries()) {
    // Files of several directories are read in one order.
    const name = `${String(index).padStart(3, '0')}-${basename(file)}`
    writeFileSync(join(directory, name), withoutDebuggers(readFileSync(file, 'utf8')))
  }
}
