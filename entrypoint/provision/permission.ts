/** Permission to install Debian packages: given as root, in CI or by --yes, else asked for at the terminal. */
import { createInterface } from 'node:readline/promises'
import { MeasurementError } from '../system/errors.ts'
import { type Attempt, packageFor } from './apt.ts'

/** As root or in CI packages are installed without a question. @param yes allows it elsewhere, too */
export function mayInstallUnasked(yes: boolean): boolean {
  return yes || Boolean(process.env.CI) || process.getuid?.() === 0
}

/**
 * Asks for permission, if it is needed. Installations into this tool's own directories (PECL, Composer) need none.
 *
 * @throws MeasurementError with the command to run, if there is no terminal or the answer is no
 */
export async function mayInstall(packages: string[], yes: boolean, { tried }: Attempt): Promise<boolean> {
  if (packages.length === 0) return false
  if (mayInstallUnasked(yes)) return true
  const known: string[] = []
  for (const name of packages) {
    const found = await packageFor(name)
    if (found) known.push(found)
    else tried.push(`apt: no package ${name} in the configured sources`)
  }
  if (known.length === 0) return false
  const command = `sudo apt-get install --no-install-recommends ${known.join(' ')}`
  if (process.stdin.isTTY && process.stdout.isTTY) {
    const prompt = createInterface({ input: process.stdin, output: process.stdout })
    const answer = await prompt.question(`Install ${known.join(', ')} now? [y/N] `)
    prompt.close()
    if (/^y/i.test(answer)) return true
  }
  throw new MeasurementError(`Missing: ${known.join(', ')}. Run this, or use --yes:\n  ${command}`)
}
