/** The command that installs the app's packages. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Arguments of Composer, or undefined if there is no composer.json. Without an optimised autoloader FPM searches for its
 * classes in every request, which alone doubles the "gain".
 */
export function composerCommand(directory: string): string[] | undefined {
  if (!existsSync(join(directory, 'composer.json'))) return undefined
  const verb = existsSync(join(directory, 'composer.lock')) ? 'install' : 'update'
  return [verb, '--no-dev', '--classmap-authoritative', '--no-interaction', '--no-progress']
}
