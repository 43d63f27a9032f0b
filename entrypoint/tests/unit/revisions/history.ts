/** Repositories with the same short history, and their base and head. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { readInputs } from '../../../config/inputs.ts'
import { type Event, NO_EVENT } from '../../../revisions/event.ts'
import { settle } from '../../../revisions/settle.ts'
import type { Job } from '../../../system/job.ts'
import { Patience } from '../../../system/machine.ts'
import { commit, git } from '../../e2e/harness.ts'

export const root = mkdtempSync(join(tmpdir(), 'revisions-'))
after(() => rmSync(root, { recursive: true, force: true }))

/** main: one - two (v1) - three; a branch off two: four. */
async function makeHistory(): Promise<string> {
  const directory = mkdtempSync(join(root, 'made-'))
  await git(directory, 'init', '--quiet')
  await commit(directory, { version: 'one', 'bench/app.php': '<?php' }, 'one')
  await commit(directory, { version: 'two' }, 'two')
  await git(directory, 'tag', 'v1')
  await git(directory, 'checkout', '--quiet', '-b', 'feature')
  await commit(directory, { feature: 'yes' }, 'four')
  await git(directory, 'checkout', '--quiet', 'main')
  await commit(directory, { version: 'three' }, 'three')
  return directory
}

const made = makeHistory()

/** A repository of its own, with that history. */
export async function history(): Promise<string> {
  const directory = mkdtempSync(join(root, 'repo-'))
  cpSync(await made, directory, { recursive: true })
  return directory
}

/** The content of base and head, and the printed lines. */
export async function contents(workspace: string, event: Partial<Event> = {}, baseline = 'auto') {
  const said: string[] = []
  const ends: (() => Promise<void>)[] = []
  const directory = mkdtempSync(join(root, 'trees-'))
  const inputs = readInputs({ get: (key) => (key === 'baseline' ? baseline : undefined) }, { workspace, out: directory })
  const { signal } = new AbortController()
  const job: Job = { directory, signal, say: (line) => said.push(line), patience: new Patience(), atEnd: (end) => ends.push(end) }
  const { revisions } = await settle(inputs, { ...NO_EVENT, ...event }, job)
  const version = (checkout: { directory: string } | undefined) => checkout && readFileSync(join(checkout.directory, 'version'), 'utf8')
  const result = { base: version(revisions.base), head: version(revisions.head), none: revisions.withoutBase, said }
  for (const end of ends) await end()
  return result
}
