/** Facts about the PHP of the command line, from one start, because each start takes as long as a hundred requests. */
import { realpathSync } from 'node:fs'
import { z } from 'zod'
import { apart } from '../system/environment.ts'
import { exec } from '../system/exec.ts'

const facts = z.object({
  /** Such as 8.3.6. */
  version: z.string(),
  /** Such as 8.3. */
  minor: z.string(),
  /** Version of each loaded extension, by lower-case name. */
  extensions: z.record(z.string(), z.string()),
})
export type PhpFacts = z.infer<typeof facts>

const NONE: PhpFacts = { version: '', minor: '', extensions: {} }
const SCRIPT = `
$versions = [];
foreach (get_loaded_extensions() as $name) $versions[strtolower($name)] = (string) phpversion($name);
echo "\\n", json_encode(['version' => PHP_VERSION, 'minor' => PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION, 'extensions' => (object) $versions]);`

/** By the program's real path, because another release has another path. */
const minors = new Map<string, Promise<string>>()

/**
 * @param php path of the program
 * @param files extensions that it is told to load, besides its own
 * @returns empty texts if it does not run
 */
export function phpFacts(php: string, files: readonly string[] = []): Promise<PhpFacts> {
  const found = askedOf(php, files)
  minors.set(
    realpathSync(php),
    found.then(({ minor }) => minor),
  )
  return found
}

async function askedOf(php: string, files: readonly string[]): Promise<PhpFacts> {
  const flags = files.flatMap((file) => ['-d', `extension=${file}`])
  const { stdout } = await exec([php, ...flags, '-r', SCRIPT], { ...apart(), timeoutMs: 20_000 })
  // Warnings from its start come first.
  const found = facts.safeParse(parsed(stdout.slice(stdout.lastIndexOf('\n') + 1)))
  return found.success ? found.data : NONE
}

/** Such as 8.3, or an empty text if it does not run. */
export async function minorOf(php: string): Promise<string> {
  return (await minors.get(realpathSync(php))) || (await phpFacts(php)).minor
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
