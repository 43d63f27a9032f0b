/** Reads from a workflow or an action's file which parts of the repository it uses, and how its jobs are named. Pure. */
import { parse } from 'yaml'

/** Characters. GitHub's own limit is smaller. */
const LIMIT = 1_000_000

interface Uses {
  uses?: unknown
}

/**
 * The local actions (their folders) and reusable workflows that a file uses.
 *
 * @param text a workflow or an action's file
 * @returns paths relative to the repository, '' for the repository itself
 */
export function localUses(text: string): string[] {
  const file = read(text)
  const jobs = entries(file?.jobs).map(([, job]) => job as (Uses & { steps?: unknown }) | null)
  const runs = file?.runs as { steps?: unknown } | undefined
  const lists = [jobs, ...jobs.map((job) => job?.steps), runs?.steps]
  return lists
    .flatMap((list) => (Array.isArray(list) ? (list as (Uses | null)[]) : []))
    .flatMap((step) => (typeof step?.uses === 'string' && step.uses.startsWith('./') ? [normal(step.uses)] : []))
}

/**
 * The names under which GitHub shows a workflow's jobs. A required check is found by such a name.
 *
 * @returns undefined if the file cannot be read
 */
export function jobNames(text: string): string[] | undefined {
  const file = read(text)
  if (!file) return undefined
  return entries(file.jobs).map(([id, job]) => {
    const name = (job as { name?: unknown } | null)?.name
    return name === undefined || name === null ? id : String(name)
  })
}

/** Whether GitHub may show a job under one of the other names. A matrix adds to the name, and an expression can be anything. */
export function isLike(name: string, others: readonly string[]): boolean {
  return name.includes('${{') || others.some((other) => bare(name) === bare(other))
}

function bare(name: string): string {
  return name
    .replace(/ \([^()]*\)$/, '')
    .trim()
    .toLowerCase()
}

function normal(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
}

function entries(mapping: unknown): [string, unknown][] {
  return mapping && typeof mapping === 'object' ? Object.entries(mapping) : []
}

function read(text: string): Record<string, unknown> | undefined {
  if (text.length > LIMIT) return undefined
  try {
    const file: unknown = parse(text)
    return file && typeof file === 'object' ? (file as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
