/** What a workflow or an action of the repository says, as far as it decides who judges. Pure. */
import { parse } from 'yaml'

/** GitHub's own limit is smaller. */
const LIMIT = 1_000_000

interface Uses {
  uses?: unknown
}

/**
 * What it runs of its own repository: folders of actions, and reusable workflows.
 *
 * @param text of a workflow, or of an action's file
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
 * Names under which GitHub shows its jobs, which is what a required check is found by.
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

/** Whether GitHub may show a job of this name under one of the others: a matrix adds to it, an expression can be anything. */
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
