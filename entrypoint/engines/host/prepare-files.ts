/** Installs the packages of a revision and runs its setup, in its own checkout. */
import type { Checkout } from '../../revisions/work-trees.ts'
import { MeasurementError } from '../../system/errors.ts'
import { exec, printed } from '../../system/exec.ts'
import { lastLines } from '../../system/tail.ts'
import { composerCommand } from '../shared/composer.ts'

export interface Preparation {
  /** The program. Undefined if it is not installed. */
  composer: string | undefined
  /** Lines of shell, which run once the packages are installed. */
  setup: readonly string[]
  /** The environment of both, and of the app. */
  env: Record<string, string>
  say: (line: string) => void
}

const LIMIT_MS = 900_000

/**
 * @returns `revision: arguments` of Composer, or undefined if there is no composer.json
 * @throws MeasurementError with the end of the failed command's output
 */
export async function prepareFiles(checkout: Checkout, { composer, setup, env, say }: Preparation): Promise<string | undefined> {
  const { revision, directory } = checkout
  const packages = composerCommand(directory)
  if (packages) {
    say(`${revision}: composer ${packages[0]}`)
    await installPackages(checkout, composer, packages, env)
  }
  for (const command of setup) {
    say(`${revision}: ${command}`)
    const done = await exec(['sh', '-c', command], { cwd: directory, env, timeoutMs: LIMIT_MS })
    if (done.code !== 0) {
      throw new MeasurementError(`setup of ${revision}: \`${command}\` ended with ${done.code}:\n${lastLines(printed(done), 20)}`)
    }
  }
  return packages && `${revision}: ${packages.join(' ')}`
}

async function installPackages(
  { revision, directory }: Checkout,
  composer: string | undefined,
  packages: string[],
  env: Record<string, string>,
): Promise<void> {
  if (!composer) throw new MeasurementError(`${revision} has a composer.json, but Composer is not installed.`)
  const done = await exec([composer, ...packages], { cwd: directory, env: { ...env, COMPOSER_ALLOW_SUPERUSER: '1' }, timeoutMs: LIMIT_MS })
  if (done.code !== 0) {
    throw new MeasurementError(`${revision}: composer could not install the app's packages:\n${lastLines(printed(done), 20)}`)
  }
}
