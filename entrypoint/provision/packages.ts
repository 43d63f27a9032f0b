/** This tool's Composer packages, pinned by content: `packages.sha256` beside a runtime's composer.json lists every allowed file. */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A lock file would pin an address and a commit; what comes from there is not checked against anything, and a mirror has other addresses. So
 * the version is exact in composer.json, and the content of what was installed decides.
 *
 * @param directory of the runtime
 * @param name vendor/package
 * @returns what is wrong with what is installed there, or undefined
 */
export function packageFault(directory: string, name: string): string | undefined {
  if (!existsSync(join(directory, 'vendor', ...name.split('/')))) return 'a Composer package'
  const sums = join(directory, 'packages.sha256')
  const expected = readSums(existsSync(sums) ? readFileSync(sums, 'utf8') : '')
  const found = readdirSync(join(directory, 'vendor'), { recursive: true, encoding: 'utf8' })
    .map((name) => join('vendor', name))
    .filter((file) => !isComposers(file) && !lstatSync(join(directory, file)).isDirectory())
  const strange = found.find((file) => expected.get(file) !== sumOf(join(directory, file)))
  if (strange) return `${strange} is not the file that packages.sha256 lists`
  const missing = [...expected.keys()].find((file) => !found.includes(file))
  return missing && `${missing} is missing`
}

/** Lines of sha256sum(1). Pure. @returns sum by file */
export function readSums(text: string): Map<string, string> {
  return new Map(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  )
}

/** Written by this machine's own Composer; a registry may rewrite the composer.json of a package, which nothing runs. */
function isComposers(file: string): boolean {
  return /^vendor\/(composer\/.*|autoload\.php|[^/]+\/[^/]+\/composer\.json)$/.test(file)
}

function sumOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
