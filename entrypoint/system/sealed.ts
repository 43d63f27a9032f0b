/** Seals a directory with a list of its files' SHA-256, so that damaged or mixed-up content is noticed. */
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from './errors.ts'

const MANIFEST = 'manifest.json'

/** Writes the list. It does not cover subdirectories. */
export function seal(directory: string): void {
  const sums = Object.fromEntries(namesIn(directory).map((name) => [name, sha256(join(directory, name))]))
  writeFileSync(join(directory, MANIFEST), JSON.stringify(sums))
}

/** @returns the fault of the content, or undefined */
export function sealFault(directory: string): string | undefined {
  try {
    const sums = new Map(Object.entries(JSON.parse(readFileSync(join(directory, MANIFEST), 'utf8')) as Record<string, unknown>))
    for (const name of namesIn(directory)) {
      if (!lstatSync(join(directory, name)).isFile()) return `${name} is not a file`
      if (sums.get(name) !== sha256(join(directory, name))) return `${name} does not have the SHA-256 that the list names`
      sums.delete(name)
    }
    const [missing] = sums.keys()
    return missing && `${missing} is missing`
  } catch (error) {
    return messageOf(error)
  }
}

function namesIn(directory: string): string[] {
  return readdirSync(directory).filter((name) => name !== MANIFEST)
}

export function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
