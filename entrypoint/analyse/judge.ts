/** Measured files -> outcome, by the analysis in R. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Mode } from '../config/experiment.ts'
import type { Config } from '../config/schema.ts'
import { replace, summaryIn } from '../measure/run-record.ts'
import { analyse } from './analyse.ts'
import { exitCodeOf, type Outcome } from './outcome.ts'
import { type Differences, suspects } from './suspects.ts'

export interface JudgeRequest {
  rscript: string
  out: string
  modes: Mode[]
  config: Config
  looks: number
  report: boolean
}

export async function judge({ rscript, out, modes, config, looks, report }: JudgeRequest): Promise<Outcome> {
  const run = join(out, 'run.json')
  const analysis = await analyse({
    rscript,
    samples: [join(out, 'samples.csv')],
    out,
    run: existsSync(run) ? run : undefined,
    modes: modes.map((mode) => mode.name),
    gate: config.gate,
    looks,
    report,
  })
  return {
    verdict: analysis.verdict,
    reasons: analysis.reasons,
    summary: summaryIn(out),
    exitCode: exitCodeOf(analysis.verdict),
    analysis,
  }
}

/** The summary of a regression ends with where to look first. */
export function withSuspects(outcome: Outcome, out: string, differences: Differences | undefined): Outcome {
  if (!differences) return outcome
  const summary = outcome.summary + suspects(differences)
  replace(join(out, 'summary.md'), summary)
  return { ...outcome, summary }
}
