/** Lists the extensions that a PHP loads. */
import { apart } from '../system/environment.ts'
import { exec } from '../system/exec.ts'

/**
 * @param program php or php-fpm
 * @param extensionFiles extensions that it is told to load, besides its own
 * @returns names as in composer.json
 */
export async function modulesOf(program: string, extensionFiles: readonly string[] = []): Promise<Set<string>> {
  const flags = extensionFiles.flatMap((file) => ['-d', `extension=${file}`])
  const { stdout } = await exec([program, ...flags, '-m'], apart())
  return new Set(stdout.split('\n').map((line) => line.trim().toLowerCase().replaceAll(' ', '-')))
}
