/** Adds preflight's findings as rows of the same table. Pure. */
import type { Mode, Revision } from '../config/experiment.ts'
import { armName } from '../preflight/answers.ts'
import type { PreflightFound } from '../preflight/preflight.ts'
import type { Finding } from './finding.ts'

/** If answers differ, the job has ended in preflight already. */
export function ofPreflight({ servers }: PreflightFound, modes: readonly Mode[], revisions: readonly Revision[]): Finding[] {
  return modes.flatMap((mode) =>
    revisions.flatMap((revision): Finding[] => {
      const row = { mode: mode.name, revision, workload: null, route: null, isNew: false }
      const waits = servers[armName({ mode, revision })]
      return [
        { ...row, check: 'answers', state: 'held', sentence: 'alike in all modes, at full concurrency and on a cold start' },
        ...(typeof waits?.waits_overlap === 'boolean'
          ? [{ ...row, check: 'waiting' as const, ...waiting(waits.waits_overlap, Number(waits.waits), Number(waits.waits_ms)) }]
          : []),
      ]
    }),
  )
}

/** If a mode promises overlapping waits and fails, the job has ended in preflight already. */
function waiting(overlaps: boolean, waits: number, ms: number): Pick<Finding, 'state' | 'sentence'> {
  const figures = `${waits} waits of usleep() side by side took ${ms} ms`
  return overlaps
    ? { state: 'held', sentence: figures }
    : { state: 'not-checked', sentence: `${figures}; the mode does not promise that they overlap` }
}
