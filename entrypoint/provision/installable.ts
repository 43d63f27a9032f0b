/** How a missing need would be installed, without installing it. */
import { packageFor } from './apt.ts'
import type { Finding } from './finding.ts'

/** @returns undefined if no way is known */
export async function installable({ apt, otherwise }: Finding): Promise<string | undefined> {
  for (const name of apt) {
    const found = await packageFor(name)
    if (found) return `apt: ${found}`
  }
  if (otherwise?.kind === 'composer') return 'composer'
  return otherwise?.kind === 'pecl' ? `PECL: ${otherwise.pecl.package}, if it can be reached` : undefined
}
