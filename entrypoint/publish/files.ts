import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Every result file, to upload. */
export function filesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.new'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}
