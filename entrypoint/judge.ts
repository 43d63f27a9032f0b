/** Measured files -> outcome, by the analysis in R. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { analyse } from './analyse.ts'
import type { Config } from './config.ts'
import { exitCodeOf, type Outcome } from './outcome.ts'
import type { Mode } from './types.ts'

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
    summary: readFileSync(join(out, 'summary.md'), 'utf8'),
    exitCode: exitCodeOf(analysis.verdict),
    analysis,
  }
}
