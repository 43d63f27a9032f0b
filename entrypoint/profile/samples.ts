/** Reads and checks the profiles that the workers of an arm report. */
import { z } from 'zod'

/** The format of php/src/Server/Profile.php. */
const sample = z.object({
  /** Names, the outermost function first. */
  stack: z.array(z.string()),
  /** Where each of them was, as `file:line`. Files are relative to the revision's root if they lie below. Empty between functions. */
  places: z.array(z.string().regex(/:\d+$/)),
  /** The number of periods of CPU time. */
  count: z.number().positive(),
})
const answer = z.object({
  of: z.number(),
  workers: z.array(z.object({ period_us: z.number().positive().nullable(), samples: z.array(sample) })).min(1),
})

export type StackSample = z.output<typeof sample>

/** The profile of one arm. */
export interface Profile {
  /** Successful answers during the profile. */
  requests: number
  /** The CPU time of one count, in microseconds. */
  periodUs: number
  samples: StackSample[]
}

/** @returns a sentence if there is no profile */
export function profileOf(answered: Record<string, unknown> | undefined, requests: number): Profile | string {
  const read = answer.safeParse(answered)
  if (!read.success) return 'the server did not answer with a profile'
  const { of, workers } = read.data
  const periodUs = workers[0]?.period_us
  if (!periodUs) return 'its PHP does not load the extension excimer'
  if (workers.length < of) return `only ${workers.length} of ${of} workers answered`
  if (requests === 0) return 'no request was answered'
  return { requests, periodUs, samples: workers.flatMap(({ samples }) => samples) }
}
