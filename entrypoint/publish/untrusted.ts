/** Reads a run.json that a stranger may have written: only numbers, and names that need no escaping anywhere. Pure. */
import { z } from 'zod'
import { MeasurementError } from '../system/errors.ts'

const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/)
const commit = z.string().regex(/^[0-9a-f]{40}$/)
const count = z.number().int().nonnegative()
const measure = z.number().nonnegative()

const KINDS_LIMIT = 20
/** Kinds of errors are short words, so that no text of a stranger passes. */
const errors = z.record(z.string().regex(/^[a-z][a-z-]{0,30}$/), count).refine((kinds) => Object.keys(kinds).length <= KINDS_LIMIT)

const schema = z.object({
  schema: z.literal(1),
  job: name,
  seed: count,
  looks: z.union([z.literal(1), z.literal(2), z.literal(4)]),
  look: count.optional(),
  modes: z.array(name).max(6),
  connections: count,
  instances: z.enum(['pool', 'shared']),
  commits: z.object({ head: commit, base: commit.nullable() }),
  ungated: z
    .array(z.object({ workload: name, why: z.enum(['redefined', 'new', 'dropped']) }))
    .max(40)
    .default([]),
  plan: z.object({
    blocks: count,
    runs: count,
    cells: z.array(z.object({ workload: name, load: name, concurrency: count, warmup_s: measure, window_s: measure })).max(400),
  }),
  // Statements per request, by arm, workload and verb.
  statements: z
    .record(
      z.string().regex(/^(base|head)\/[a-z0-9][a-z0-9._-]{0,39}$/),
      z.record(name, z.partialRecord(z.enum(['insert', 'select', 'update', 'delete']), count)),
    )
    .optional(),
  probes_ms: z.array(measure).max(100_000),
  runs: z
    .array(
      z.object({
        job: name,
        block: count,
        position: count,
        workload: name,
        load: name,
        revision: z.enum(['base', 'head']),
        mode: name,
        attempt: count,
        errors,
        little: z.number().nullable(),
        idle: z.boolean(),
      }),
    )
    .max(100_000),
})

export type TrustedRun = z.output<typeof schema>
export type Commits = TrustedRun['commits']

/** Undefined if the text does not have the form that the measuring job writes. */
export function numbersOnly(text: string | undefined): TrustedRun | undefined {
  if (text === undefined || !isModest(text)) return undefined
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Generous limits for the depth of run.json and its objects and lists: each of 100,000 runs has a handful. */
const DEPTH_LIMIT = 32
const CONTAINERS_LIMIT = 1_000_000

/** Whether the text is safe to parse: a file of brackets alone would take seconds and gigabytes. */
function isModest(text: string): boolean {
  let depth = 0
  let containers = 0
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (character === '"') i = endOfString(text, i)
    else if (character === ']' || character === '}') depth--
    else if (character === '[' || character === '{') {
      if (++depth > DEPTH_LIMIT || ++containers > CONTAINERS_LIMIT) return false
    }
  }
  return true
}

/** Index of the quote that ends the string. @param start index of its first quote */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '"') return i
  }
  return text.length
}

/** The record of one job. @param number the artifact's @throws MeasurementError without a valid one: what was compared is then unknown */
export function trusted(text: string | undefined, number: number): TrustedRun {
  const run = numbersOnly(text)
  if (run) return run
  throw new MeasurementError(
    `run.json of artifact ${number}: ${text === undefined ? 'missing' : 'not what measure writes'}. Expected the file that measure leaves beside samples.csv. It names the compared commits.`,
  )
}

/** The records of several jobs as one. @throws MeasurementError if they did not compare the same commits */
export function merged(runs: readonly TrustedRun[]): TrustedRun {
  const first = runs[0] as TrustedRun
  const told = ({ head, base }: Commits): string => `base ${base ?? 'none'} and head ${head}`
  const different = runs.find(({ commits }) => told(commits) !== told(first.commits))
  if (different)
    throw new MeasurementError(
      `run.json: commits: found ${told(first.commits)} in job ${first.job}, ${told(different.commits)} in job ${different.job}; expected the same in every job.`,
    )
  return { ...first, probes_ms: runs.flatMap((run) => run.probes_ms), runs: runs.flatMap((run) => run.runs) }
}
