/** Checks this tool's Composer packages by content: `packages.sha256`, beside a runtime's composer.json, lists every allowed file. */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A lock file would pin an address and a commit, but not the content, and a mirror has other addresses. So composer.json has exact
 * versions, and the content of the installed files is checked.
 *
 * @param directory the runtime's folder
 * @param name vendor/package
 * @returns the fault of the installed files, or undefined
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

/** Parses lines of sha256sum(1). Pure. @returns checksum by file */
export function readSums(text: string): Map<string, string> {
  return new Map(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  )
}

/** Whether Composer itself writes the file. A registry may rewrite a package's composer.json, which is never run. */
function isComposers(file: string): boolean {
  return /^vendor\/(composer\/.*|autoload\.php|[^/]+\/[^/]+\/composer\.json)$/.test(file)
}

function sumOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
