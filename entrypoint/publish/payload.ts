/** The parts of an event's payload that are read. */
import { readFileSync } from 'node:fs'
import type { Event } from '../revisions/event.ts'

/** The part of a workflow_run event that shows where the code came from. */
export interface WorkflowRun {
  id: number
  event: string
  head_sha: string
  head_branch: string | null
  conclusion?: string | null
  head_repository: { full_name: string; owner: { login: string } } | null
}

export interface Payload {
  action?: string
  before?: string
  pull_request?: {
    number?: number
    user?: { login?: string } | null
    base?: { sha?: string; ref?: string }
    head?: { sha?: string; ref?: string; repo?: { full_name?: string } | null }
  }
  merge_group?: { base_sha?: string }
  release?: { id?: number }
  workflow_run?: WorkflowRun
}

/** The payload of the event that started the job; empty outside GitHub. */
export function eventPayload(): Payload {
  const path = process.env.GITHUB_EVENT_PATH
  if (!path) return {}
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return {}
  }
}

/** The name of the event that started the job. */
export function startedBy(): Event {
  const { GITHUB_EVENT_NAME: name = '', GITHUB_REF: ref = '', GITHUB_SHA: sha = '' } = process.env
  return { name, ref, sha, payload: eventPayload() }
}
