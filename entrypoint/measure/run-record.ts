/** The files of a job: samples.csv and run.json, written after every run. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Comparison } from '../config/comparison.ts'
import type { Plan } from '../plan/plan.ts'
import type { PreflightFound } from '../preflight/preflight.ts'
import type { Revisions } from '../revisions/work-trees.ts'
import { visible } from '../system/log.ts'
import { writeLogs } from '../system/log-files.ts'
import { blockingWarnings } from './blocking.ts'
import type { Failure } from './failure.ts'
import { type Count, countsCsv } from './instructions/counts.ts'
import type { Measured, RunNote } from './measured.ts'
import { ratesOf } from './rates.ts'
import { samplesCsv } from './samples.ts'
import { sidecarWarnings } from './sidecar-use.ts'

/** The files of a job. */
export const SAMPLES = 'samples.csv'
export const COUNTS = 'instructions.csv'
export const RUN = 'run.json'
export const CHECKED = 'checks.json'

export interface RunRecord {
  comparison: Comparison
  study: boolean
  plan: Plan
  revisions: Revisions
  versions: Record<string, string>
  engine: Record<string, unknown>
  preflight: PreflightFound
  /** Sentences about why, or for which cells, instructions were not counted. */
  uncounted: readonly string[]
}

/** Cells, timings and order. The whole plan with its runtimes would be far longer. */
function planOf(plan: Plan): object {
  return {
    blocks: plan.lookAt.at(-1),
    look_at: plan.lookAt,
    runs: plan.runs,
    predicted_seconds: plan.predictedSeconds,
    cells: plan.cells.map(({ cell, timing }) => ({
      workload: cell.workload.name,
      path: cell.workload.path,
      load: cell.load.name,
      concurrency: cell.load.concurrency,
      rate: cell.load.rate,
      warmup_s: timing.warmupS,
      window_s: timing.windowS,
      slices: timing.slices,
    })),
  }
}

/** Facts that samples.csv cannot hold. `analyse` works without them. */
export function runJson(record: RunRecord, measured: Measured): object {
  const { comparison, plan, revisions } = record
  const { rules, modes } = comparison
  return {
    schema: 1,
    job: plan.job,
    seed: plan.seed,
    study: record.study,
    profile: rules.profile,
    looks: plan.looks,
    look: measured.look,
    gate: rules.gate,
    modes: modes.map((mode) => mode.name),
    connections: rules.connections,
    instances: rules.instances,
    commits: {
      head: revisions.head.commit,
      base: revisions.base?.commit ?? null,
      base_label: revisions.base?.label ?? null,
      without_base: revisions.withoutBase ?? null,
    },
    ungated: comparison.ungated,
    coverage: comparison.coverage,
    plan: planOf(plan),
    facts: record.engine,
    versions: record.versions,
    servers: record.preflight.servers,
    statements: record.preflight.statements,
    warnings: [
      ...comparison.notes,
      ...record.preflight.warnings,
      ...blockingWarnings(measured),
      ...sidecarWarnings(measured, rules.latency),
      ...ratesOf(plan, measured),
      ...record.uncounted,
      ...modes.flatMap((mode) => (mode.via === 'runtime' ? mode.runtime.limits : [])),
    ],
    probes_ms: measured.probesMs,
    reruns: measured.reruns,
    runs: measured.notes.map(({ failure, ...note }) => ({ ...note, ...(failure ? { failure: failureOfRecord(failure) } : {}) })),
  }
}

/** Without the log, which has its own file. */
function failureOfRecord({ message, logTail, answer, memoryMib }: Failure): object {
  return {
    message: message && visible(message),
    log: visible(logTail),
    answer: answer && { ...answer, body: visible(answer.body) },
    memory_mib: memoryMib,
  }
}

function logOf({ block, workload, load, revision, mode, attempt, failure }: RunNote): { name: string; log: string } {
  return { name: [`block-${block}`, workload, load, revision, mode, `attempt-${attempt}`].join('_'), log: failure?.log ?? '' }
}

/** Writes whole files, so that a reader never sees half of one. */
export function writeResults(out: string, record: RunRecord, measured: Measured): void {
  mkdirSync(out, { recursive: true })
  writeLogs(out, measured.notes.map(logOf))
  replace(join(out, SAMPLES), samplesCsv(measured.samples))
  writeRunJson(out, record, measured)
}

function writeRunJson(out: string, record: RunRecord, measured: Measured): void {
  replace(join(out, RUN), `${JSON.stringify(runJson(record, measured), null, 1)}\n`)
}

/** Writes instructions.csv beside the samples. */
export function writeCounts(out: string, record: RunRecord, measured: Measured, counts: readonly Count[]): void {
  replace(join(out, COUNTS), countsCsv(counts))
  writeRunJson(out, record, measured)
}

/** Removes files that are written after the samples, because those of an earlier job are not this one's. */
export function forgetLater(out: string): void {
  for (const file of [COUNTS, CHECKED]) rmSync(join(out, file), { force: true })
}

export function replace(file: string, content: string): void {
  writeFileSync(`${file}.new`, content)
  renameSync(`${file}.new`, file)
}
