/** A line of the history: what it holds, and what is read of a branch to which others may have written. Pure. */
import { z } from 'zod'

const number = z.number().nullable()
const schema = z.object({
  time: z.string().regex(/^[0-9T:.Z-]{10,40}$/),
  commit: z.string().regex(/^[A-Za-z0-9]{0,64}$/),
  verdict: z.enum(['pass', 'regressed', 'inconclusive', 'not-gated', 'invalid']),
  cells: z.array(z.object({ cell: z.string().max(200), gain: number, change: number, change_low: number, change_high: number })).max(1000),
})

export type HistoryRecord = z.output<typeof schema>

/** The records of a file, one per line. A line that is none, as a merge by hand may leave it, is left out. */
export function recordsIn(lines: string): HistoryRecord[] {
  return lines.split('\n').flatMap((line) => {
    try {
      return [schema.parse(JSON.parse(line))]
    } catch {
      return []
    }
  })
}
