/** A pull request that tries to choose its judge, and its settled comparison. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { readInputs } from '../../../config/inputs.ts'
import { type Event, NO_EVENT } from '../../../revisions/event.ts'
import { type Settled, settle } from '../../../revisions/settle.ts'
import { Patience } from '../../../system/machine.ts'
import { type Commits, pullRequest, type Tree } from '../../pull-request.ts'

export const root = mkdtempSync(join(tmpdir(), 'judge-'))
after(() => rmSync(root, { recursive: true, force: true }))

export const FILE = '.github/async-php-bench.yml'
export const HOME = '{ name: home, path: /, expect: { contains: right } }'
export const USERS = '{ name: users, path: /users }'
export const BASE = `modes: [fpm, fibers]
workloads: [${HOME}, ${USERS}]
loads: { low: { concurrency: 2 }, high: { concurrency: 8 } }
database: none
gate: { max-regression: 5, min-gain: 1.2 }
accept-label: slower is fine
comment-key: ours
`

export interface Attack {
  /** Configuration of base and head; null has none. */
  base?: string | null
  head: string | null
  /** Files that the pull request adds. Empty ones are removed. */
  files?: Record<string, string>
  /** Links in head or base: the path and the target. */
  links?: Record<string, string>
  baseLinks?: Record<string, string>
  event?: (commits: Commits) => Partial<Event>
  /** Inputs of the Action. */
  given?: Record<string, string>
}

const linked = (links: Record<string, string>): Tree =>
  Object.fromEntries(Object.entries(links).map(([place, target]) => [place, { link: target }]))
const configured = (text: string | null): Tree => (text === null ? {} : { [FILE]: text })

/** The comparison and its rules, after GitHub has checked out the attack's merge commit. */
export async function settled({ base = BASE, head, files = {}, links = {}, baseLinks = {}, event, given = {} }: Attack): Promise<Settled> {
  const workspace = mkdtempSync(join(root, 'repo-'))
  const app = { 'bench/app.php': '<?php' }
  const changed: Tree = { ...app, ...linked(links), ...configured(head), ...files }
  const kept = Object.fromEntries(Object.entries(changed).filter(([, content]) => content !== ''))
  const commits = await pullRequest(workspace, { ...app, ...linked(baseLinks), ...configured(base) }, kept)
  const directory = mkdtempSync(join(root, 'trees-'))
  const inputs = readInputs({ get: (key) => given[key] }, { workspace, out: directory })
  const job = { directory, signal: new AbortController().signal, say: () => undefined, patience: new Patience(), atEnd: () => undefined }
  const ofGitHub = { name: 'pull_request', sha: commits.merge, payload: payloadOf(commits.base, commits.head) }
  return settle(inputs, { ...NO_EVENT, ...(event ? event(commits) : ofGitHub) }, job)
}

export const payloadOf = (base: string, head: string): Event['payload'] => ({ pull_request: { base: { sha: base }, head: { sha: head } } })

/** Head's file: base's with lines changed or added. */
export const changed = (...lines: string[]): string => {
  const keys = lines.map((line) => line.slice(0, line.indexOf(':')))
  const kept = BASE.split('\n').filter((line) => !keys.includes(line.slice(0, line.indexOf(':'))))
  return [...kept, ...lines, ''].join('\n')
}
