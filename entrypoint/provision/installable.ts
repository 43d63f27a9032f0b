/** Tells how a missing need would be installed, without installing it. */
import { packageFor } from './apt.ts'
import type { Finding } from './finding.ts'

/** @returns undefined if no way is known */
export async function installable({ apt, ...finding }: Finding): Promise<string | undefined> {
  for (const name of apt) {
    const found = await packageFor(name)
    if (found) return `apt: ${found}`
  }
  const [way] = waysOf({ ...finding, apt: [] })
  return way?.startsWith('PECL') ? `${way}, if it can be reached` : way
}

/** The ways to try, in order. It does not ask apt-cache, which takes a second per name. */
export function waysOf({ apt, otherwise }: Finding): string[] {
  return [
    ...apt.map((name) => `apt: ${name}`),
    ...(otherwise?.kind === 'composer' || otherwise?.kind === 'npm' ? [otherwise.kind] : []),
    ...(otherwise?.kind === 'download' ? [`download: ${otherwise.url}`] : []),
    ...(otherwise?.kind === 'pecl' ? [`PECL: ${otherwise.pecl.package}`] : []),
  ]
}
