/** Repositories for tests of `init`. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { prepareRepository } from '../../../../commands/init.ts'
import { temporary } from '../../../e2e/harness.ts'

export const init = (workspace: string): Promise<string[]> => prepareRepository(workspace, { overwrites: false, writes: true })

/** A repository with these files; packages are required in any version. */
export function repository(packages: string[], files: Record<string, string> = {}): string {
  const directory = mkdtempSync(join(temporary(), 'app-'))
  const composer = { require: Object.fromEntries(packages.map((name) => [name, '*'])) }
  for (const [name, text] of Object.entries({ 'composer.json': JSON.stringify(composer), ...files })) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), text)
  }
  return directory
}
