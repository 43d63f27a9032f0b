/** Copies PHP's ini files without the lines that load debuggers and profilers: they slow every request, and Xdebug crashes Swoole. */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { apart } from '../../system/environment.ts'
import { MeasurementError } from '../../system/errors.ts'
import { exec } from '../../system/exec.ts'
import { lastLine } from '../../system/tail.ts'

/** A line that loads such an extension, by name or by file. */
const LOADS = /^[ \t]*(zend_)?extension[ \t]*=[ \t]*["']?([^\n"';]*\/)?(php_)?(xdebug|pcov|excimer)(\.so)?["']?[ \t]*(;.*)?$/gim

/** The text of an ini file without these lines. Pure. */
export function withoutDebuggers(text: string): string {
  return text.replace(LOADS, '')
}

/** The files that a PHP parses besides php.ini, in order. Pure. @param information the output of `-i` */
export function parsedFiles(information: string): string[] {
  const list = /^Additional \.ini files parsed => ((?:.*,\n)*.*)$/m.exec(information)?.[1] ?? ''
  return list.split(/,\n?/).filter((file) => file.startsWith('/'))
}

/**
 * Copies the files into a directory that a PHP can scan instead of its own.
 *
 * @param program php or php-fpm, each of which may have its own files
 * @param directory an empty directory
 * @throws MeasurementError if the program does not list its files; without their extensions, another PHP would be measured
 */
export async function copyQuietIni(program: string, directory: string): Promise<void> {
  const { code, stdout, stderr } = await exec([program, '-i'], { ...apart(), timeoutMs: 60_000 })
  if (code !== 0) throw new MeasurementError(`${program} -i does not list its ini files: exit code ${code}, ${lastLine(stderr)}`)
  for (const [index, file] of parsedFiles(stdout).entries()) {
    // PHP reads the files of all directories in one order.
    const name = `${String(index).padStart(3, '0')}-${basename(file)}`
    writeFileSync(join(directory, name), withoutDebuggers(readFileSync(file, 'utf8')))
  }
}
