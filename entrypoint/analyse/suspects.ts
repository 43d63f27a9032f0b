/** Suspects of a regression: differences between base and head, apart from the measured code, that can change the gain. Pure. */

import type { PreflightFound } from '../preflight/preflight.ts'
import type { ServerFacts } from '../preflight/servers.ts'
import { code } from '../system/markdown.ts'

/** Preflight's findings, by `revision/mode`. */
type Found = Pick<PreflightFound, 'servers' | 'statements' | 'loaded'>

export interface Differences extends Found {
  /** Composer packages and their versions. */
  packages: { base: Record<string, string>; head: Record<string, string> }
  /** Files that changed between base and head. */
  files: string[]
  /** Files that determine how the app starts, besides those with usual names: entry file, Dockerfile. */
  bootstrap: string[]
}

const FILES_SHOWN = 15
const BOOTSTRAP =
  /(^|\/)(bootstrap|config|bench|\.env[^/]*)(\/|$)|(^|\/)(composer\.(json|lock)|index\.php|Dockerfile[^/]*|Kernel\.php|[^/]+\.ini)$/i

const NOTHING =
  'No difference: PHP, extensions, settings, hook flags, packages, statements and bootstrap files are the same. Look at the code that a request runs.'

/** Sentences with names in code spans, for summary and report. */
export function suspects(differences: Differences): string[] {
  const found = [
    ...ofStatements(differences.statements),
    ...ofServers(differences.servers),
    ...ofPackages(differences.packages),
    ...ofFiles(differences),
    ...ofLoaded(differences),
  ]
  return found.length ? found : [NOTHING]
}

/** A Markdown block for the summary of a regressed verdict. */
export function blockOf(sentences: readonly string[]): string {
  const list = sentences.map((sentence) => `- ${sentence}`).join('\n')
  return `\n<details open><summary>What differs between base and head and can move the gain</summary>\n\n${list}\n\n</details>\n`
}

/** Modes with the same statements share a line. */
function ofStatements(statements: Differences['statements']): string[] {
  const modesOf = new Map<string, string[]>()
  for (const [name, workloads] of Object.entries(statements)) {
    const [revision, mode] = name.split('/') as [string, string]
    if (revision !== 'head') continue
    const ofBase = statements[`base/${mode}`] ?? {}
    for (const [workload, head] of Object.entries(workloads)) {
      const base = Object.hasOwn(ofBase, workload) ? ofBase[workload] : undefined
      for (const verb of new Set(base ? [...Object.keys(head), ...Object.keys(base)] : [])) {
        const [made, before] = [head[verb] ?? 0, base?.[verb] ?? 0]
        if (made === before) continue
        const line = `workload ${code(workload)} makes ${made} ${verb.toUpperCase()} ${made === 1 ? 'statement' : 'statements'} per request instead of ${before}`
        modesOf.set(line, [...(modesOf.get(line) ?? []), mode])
      }
    }
  }
  return [...modesOf].map(([line, modes]) => `${line} (${modes.map(code).join(', ')})`)
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

/** Facts that may differ between starts without being a cause. */
const MEASURED = /^(waits|waits_ms|waits_overlap|sapi)$/

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
  return starting.length
    ? [`files that start the app: ${firstOf(starting.map(code))} (of ${files.length} changed ${files.length === 1 ? 'file' : 'files'})`]
    : []
}

/**
 * Changed files, each with the workloads whose request loaded it in either revision. Modes that keep their workers only report all
 * files loaded so far. They count only for files that no single request loaded.
 */
function ofLoaded({ files, loaded }: Differences): string[] {
  const arms = Object.entries(loaded).flatMap(([name, workloads]) =>
    Object.entries(workloads).map(([workload, { perRequest, files: of }]) => ({
      of: new Set(of),
      perRequest,
      by: perRequest ? code(workload) : `in ${code(name.split('/')[1] as string)}`,
    })),
  )
  const changed = files.flatMap((file) => {
    const loading = arms.filter(({ of }) => of.has(file))
    const exact = loading.filter(({ perRequest }) => perRequest)
    const by = new Set((exact.length ? exact : loading).map((arm) => arm.by))
    return by.size ? [`${code(file)} (${[...by].join(', ')})`] : []
  })
  return changed.length ? [`changed files that the workloads load: ${firstOf(changed)}`] : []
}

function firstOf(items: readonly string[]): string {
  const more = items.length > FILES_SHOWN ? ` and ${items.length - FILES_SHOWN} more` : ''
  return items.slice(0, FILES_SHOWN).join(', ') + more
}

function changes(base: Record<string, string>, head: Record<string, string>): { path: string; from: string; to: string }[] {
  // A pull request chooses the names. One may be `constructor`, which every object has.
  const of = (values: Record<string, string>, path: string): string | undefined => (Object.hasOwn(values, path) ? values[path] : undefined)
  return [...new Set([...Object.keys(base), ...Object.keys(head)])]
    .filter((path) => of(base, path) !== of(head, path))
    .sort()
    .map((path) => ({ path, from: of(base, path) ?? 'none', to: of(head, path) ?? 'none' }))
}
