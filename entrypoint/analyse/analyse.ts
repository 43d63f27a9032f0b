/** Runs the analysis in R and reads its result. TypeScript has no statistics. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { PACKAGE } from '../config/catalog.ts'
import { apart } from '../system/environment.ts'
import { InputError, MeasurementError } from '../system/errors.ts'
import { exec } from '../system/exec.ts'
import { visible } from '../system/log.ts'
import { scratch } from '../system/scratch.ts'
import { type AnalyseRequest, requestJson } from './request.ts'

const number = z
  .number()
  .nullable()
  .optional()
  .transform((value) => value ?? null)
const ofMetric = z.object({ cells: z.array(z.object({ workload: z.string(), load: z.string(), change: number, verdict: z.string() })) })

const schema = z.object({
  schema: z.literal(1),
  /** What the cells and the pool are about: goodput, or the instructions per request where nothing else was measured. */
  metric: z.enum(['goodput', 'instructions']).default('goodput'),
  verdict: z.enum(['pass', 'regressed', 'inconclusive', 'not-gated', 'invalid']),
  /** The verdict from the runs alone, if the checks of production also affect `verdict`. */
  timing_verdict: z.string().optional(),
  reasons: z.array(z.string().transform(visible)),
  /** Important sentences that decide nothing. */
  warnings: z.array(z.string().transform(visible)).default([]),
  cells: z.array(
    z.object({
      workload: z.string(),
      load: z.string(),
      gain_base: number,
      gain_head: number,
      change: number,
      change_low: number,
      change_high: number,
      p_fail: number,
      p_pass: number,
      mde90: number,
      verdict: z.string(),
    }),
  ),
  /** The cells by metric, where it was measured. */
  metrics: z.object({ cpu: ofMetric.optional(), instructions: ofMetric.optional() }).default({}),
  pooled: z.object({ change: number, change_low: number, change_high: number, p_fail: number, mde90: number }),
  blocks: z.number(),
  looks: z.number(),
  /** Cells that more quads may decide. */
  open: z.array(z.object({ workload: z.string(), load: z.string() })).default([]),
})

/** The part of analysis.json that TypeScript reads. R writes more. */
export type Analysis = z.output<typeof schema>
export type CellResult = Analysis['cells'][number]
export type Verdict = Analysis['verdict']

export interface Analysed {
  analysis: Analysis
  /** R's part of the summary, in Markdown. Its warnings may quote the app. */
  summary: string
}

/** @throws InputError for malformed samples; MeasurementError if R fails */
export async function analyse(request: AnalyseRequest): Promise<Analysed> {
  const directory = scratch()
  try {
    const [file, summary] = [join(directory, 'request.json'), join(directory, 'summary.md')]
    writeFileSync(file, requestJson(request, summary))
    await runR(request.rscript, file)
    return { analysis: readAnalysis(join(request.out, 'analysis.json')), summary: visible(readFileSync(summary, 'utf8')) }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function runR(rscript: string, request: string): Promise<void> {
  const done = await exec([rscript, '--vanilla', join(PACKAGE, 'r', 'analyse.R'), request], {
    ...apart({ TZ: 'UTC' }),
    timeoutMs: 600_000,
  })
  if (done.code === 2) throw new InputError(done.stderr.trim())
  if (done.code !== 0)
    throw new MeasurementError(`The analysis in R failed:\n${(done.stdout + done.stderr).trim().split('\n').slice(-15).join('\n')}`)
}

/** @throws InputError if the file is not an analysis */
export function readAnalysis(file: string): Analysis {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    const issue = error instanceof z.ZodError ? error.issues[0] : undefined
    const why = issue ? `${issue.path.join('.')}: ${issue.message}` : (error as Error).message.split('\n')[0]
    throw new InputError(`${file}: not an analysis: ${why}`)
  }
}
