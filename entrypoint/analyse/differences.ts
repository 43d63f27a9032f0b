/** Collects the differences between base and head for suspects.ts. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { entryPathOf, type Served } from '../config/rules.ts'
import type { PreflightFound } from '../preflight/preflight.ts'
import { Git } from '../revisions/git.ts'
import type { Checkout, Revisions } from '../revisions/work-trees.ts'
import type { Differences } from './suspects.ts'

/** @returns undefined if there is no base */
export async function differencesOf(
  { base, head }: Revisions,
  { servers, statements, loaded }: PreflightFound,
  served: Served,
  workspace: string,
): Promise<Differences | undefined> {
  if (!base) return undefined
  const changed = await new Git(workspace).try('diff', '--name-only', '-z', '--no-renames', base.commit, head.commit)
  const { dockerfile } = served.docker
  return {
    servers,
    statements,
    loaded,
    packages: { base: packagesIn(base), head: packagesIn(head) },
    files: (changed ?? '').split('\0').filter(Boolean),
    bootstrap: [entryPathOf(served), ...(dockerfile ? [dockerfile] : [])],
  }
}

/** The packages that Composer installed, else those of the lock file. */
function packagesIn({ directory }: Checkout): Record<string, string> {
  for (const name of ['vendor/composer/installed.json', 'composer.lock']) {
    const file = join(directory, name)
    if (!existsSync(file)) continue
    try {
      const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages?: { name: string; version: string }[] }
      return Object.fromEntries((packages ?? []).map(({ name: of, version }) => [String(of), String(version)]))
    } catch {
      // A missing hint must not fail the job.
    }
  }
  return {}
}
