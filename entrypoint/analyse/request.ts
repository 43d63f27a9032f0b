/** The request to R, and the file in which R reads it. r/R/request.R checks it. Pure. */
import type { GateConfig } from '../config/schema.ts'
import type { Look } from '../plan/plan.ts'

export interface AnalyseRequest extends Look {
  rscript: string
  /** Paths of the files, one per job. */
  samples: string[]
  /** The folder for results. */
  out: string
  /** run.json, if there is one. */
  run?: string | undefined
  /** Names in order. If absent, R uses those of run.json, or of the samples. */
  modes?: string[] | undefined
  /** Shares are in percent. */
  gate: GateConfig
  /** Whether to write report.html and the plots, too. */
  report: boolean
  /** Differences between base and head that can change the gain, for the report: sentences with code spans. */
  differences?: string[] | undefined
}

/** The content of request.json. @param summary the path for R's part of the summary */
export function requestJson(
  { rscript: _, samples, out, run, modes, gate, looks, look, report, differences }: AnalyseRequest,
  summary: string,
): string {
  return JSON.stringify({
    samples,
    out,
    summary,
    run: run ?? null,
    modes: modes ?? null,
    settings: gate,
    looks,
    look,
    report,
    differences: differences?.length ? differences : null,
  })
}
