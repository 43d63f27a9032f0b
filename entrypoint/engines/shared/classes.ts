/** Combines the classes of php/src into one file. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const HEADER = /^<\?php\s+declare\(strict_types=1\);\n/

/**
 * FPM loads classes again for each request, which a hand-written front controller would not do. So FPM preloads this file.
 *
 * @param directory php/src
 * @returns the text of a PHP file. Interfaces come first, because PHP binds a class early only to what precedes it
 */
export function bundledClasses(directory: string): string {
  const texts = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.php'))
    .map((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8'))
  const isInterface = (text: string): boolean => /^interface /m.test(text)
  const ordered = [...texts.filter(isInterface), ...texts.filter((text) => !isInterface(text))]
  return `<?php\n\ndeclare(strict_types=1);\n${ordered.map((text) => text.replace(HEADER, '')).join('')}`
}
