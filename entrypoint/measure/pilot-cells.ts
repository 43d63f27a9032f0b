/** Runs the pilot over the cells of a checked bench. */
import type { Cell } from '../config/experiment.ts'
import type { PilotedBench } from '../plan/plan-job.ts'
import type { CheckedBench } from '../preflight/check-arms.ts'
import type { Job } from '../system/job.ts'
import { pilot } from './pilot.ts'

/** @throws MeasurementError for a cell that neither head nor base can serve */
export async function pilotCells(bench: CheckedBench, { say, signal, patience }: Job): Promise<PilotedBench> {
  const { engine, settled, tools, checked } = bench
  const { gated, reported, modes, rules, revisions, ungated } = settled
  const newToBase = ungated.flatMap(({ workload, why }) => (why === 'new' ? [workload] : []))
  const newInHead = new Set([...checked.newInHead, ...newToBase])
  // Latencies size the windows of runs, and there are none.
  if (rules.profile === 'work') return { ...bench, latencies: new Map(), newInHead, fallen: [] }
  const isInBase = ({ workload }: Cell): boolean => revisions.base !== undefined && !newInHead.has(workload.name)
  const running = { engine, hey: tools.hey, patience, signal, say }
  const { results, fallen } = await pilot([...gated, ...reported], modes, { ...running, isInBase })
  return { ...bench, latencies: results, newInHead, fallen }
}
