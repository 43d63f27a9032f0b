/** The result files that are published. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Every result file, for the upload; none if the job failed before it wrote one. */
export function filesOf(directory: string): string[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.new'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}
