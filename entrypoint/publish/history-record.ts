/** A record of the history. Others may write to the branch, so every line is checked when it is read. Pure. */
import { z } from 'zod'

const number = z.number().nullable()
const schema = z.object({
  time: z.string().regex(/^[0-9T:.Z-]{10,40}$/),
  commit: z.string().regex(/^[A-Za-z0-9]{0,64}$/),
  verdict: z.enum(['pass', 'regressed', 'inconclusive', 'not-gated', 'invalid']),
  cells: z.array(z.object({ cell: z.string().max(200), gain: number, change: number, change_low: number, change_high: number })).max(1000),
})

export type HistoryRecord = z.output<typeof schema>

/** The records of a file, one per line. Other lines, such as those of a merge conflict, are left out. */
export function recordsIn(lines: string): HistoryRecord[] {
  return lines.split('\n').flatMap((line) => {
    try {
      return [schema.parse(JSON.parse(line))]
    } catch {
      return []
    }
  })
}
