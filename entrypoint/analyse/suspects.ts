/** What differs between base and head, besides the code of a request, and can move the gain: where to look first. Pure. */

import { code } from '../system/markdown.ts'

/** What the servers said of themselves in preflight, by `revision/mode`. */
export type ServerFacts = Record<string, Record<string, unknown>>

export interface Differences {
  servers: ServerFacts
  /** Composer packages with their versions. */
  packages: { base: Record<string, string>; head: Record<string, string> }
  /** Files that a commit between base and head changed. */
  files: string[]
  /** Files that decide how the app starts, besides those with a usual name: entry file, Dockerfile. */
  bootstrap: string[]
}

const FILES_SHOWN = 15
const BOOTSTRAP =
  /(^|\/)(bootstrap|config|bench|\.env[^/]*)(\/|$)|(^|\/)(composer\.(json|lock)|index\.php|Dockerfile[^/]*|Kernel\.php|[^/]+\.ini)$/i

/** A Markdown block for the summary of a regressed verdict. */
export function suspects(differences: Differences): string {
  const lines = [...ofServers(differences.servers), ...ofPackages(differences.packages), ...ofFiles(differences)]
  const body = lines.length
    ? lines.map((line) => `- ${line}`).join('\n')
    : 'Nothing: PHP, extensions, settings, hook flags, packages and bootstrap files are the same. Look into the code that a request runs.'
  return `\n<details open><summary>What differs between base and head and can move the gain</summary>\n\n${body}\n\n</details>\n`
}

function ofServers(servers: ServerFacts): string[] {
  const lines = new Set<string>()
  for (const [name, head] of Object.entries(servers)) {
    const [revision, mode] = name.split('/')
    const base = servers[`base/${mode}`]
    if (revision !== 'head' || !base) continue
    for (const { path, from, to } of changes(flat(base), flat(head))) lines.add(`${label(path)}: ${code(from)} → ${code(to)}`)
  }
  return [...lines]
}

function label(path: string): string {
  const [group, ...rest] = path.split('/')
  const name = rest.join('/')
  if (group === 'extensions') return `extension ${code(name)}`
  if (group === 'ini') return `setting ${code(name)}`
  return path === 'swoole/hook_flags' ? "Swoole's hook flags" : code(path)
}

/** What may differ from start to start, and is no cause. */
const MEASURED = /^(waits|waits_ms|sapi)$/

function flat(value: Record<string, unknown>, prefix = ''): Record<string, string> {
  return Object.assign(
    {},
    ...Object.entries(value).map(([key, inner]) => {
      if (prefix === '' && MEASURED.test(key)) return {}
      return typeof inner === 'object' && inner !== null
        ? flat(inner as Record<string, unknown>, `${prefix}${key}/`)
        : { [prefix + key]: String(inner) }
    }),
  )
}

function ofPackages({ base, head }: Differences['packages']): string[] {
  return changes(base, head).map(({ path, from, to }) => `package ${code(path)}: ${code(from)} → ${code(to)}`)
}

function ofFiles({ files, bootstrap }: Differences): string[] {
  const starting = files.filter((file) => bootstrap.includes(file) || BOOTSTRAP.test(file))
  const shown = starting.slice(0, FILES_SHOWN).map(code).join(', ')
  const more = starting.length > FILES_SHOWN ? ` and ${starting.length - FILES_SHOWN} more` : ''
  return starting.length ? [`files that start the app: ${shown}${more} (of ${files.length} changed files)`] : []
}

function changes(base: Record<string, string>, head: Record<string, string>): { path: string; from: string; to: string }[] {
  // Names are a pull request's: `constructor` is one that every object has.
  const of = (values: Record<string, string>, path: string): string | undefined => (Object.hasOwn(values, path) ? values[path] : undefined)
  return [...new Set([...Object.keys(base), ...Object.keys(head)])]
    .filter((path) => of(base, path) !== of(head, path))
    .sort()
    .map((path) => ({ path, from: of(base, path) ?? 'none', to: of(head, path) ?? 'none' }))
}
