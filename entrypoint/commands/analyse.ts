/** `analyse` and `report`: a verdict on recorded samples. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { analyse as judge } from '../analyse/analyse.ts'
import { exitCodeOf, type Outcome } from '../analyse/outcome.ts'
import { inRoles, modesIn } from '../analyse/roles.ts'
import { composeSummary, writeSummary } from '../analyse/summary.ts'
import { InputError, MeasurementError } from '../system/errors.ts'
import { which } from '../system/which.ts'
import { gateGiven } from './gate-given.ts'
import { lookGiven } from './look-given.ts'
import { ANALYSE_OPTIONS } from './options.ts'
import type { Values } from './parse.ts'
import { runGiven } from './run-given.ts'
import { print } from './terminal.ts'
import type { Verb } from './verb.ts'

export const analyse: Verb = {
  name: 'analyse',
  about: 'samples.csv -> verdict, analysis.json, summary.md, report.html',
  options: ANALYSE_OPTIONS,
  run: (values) => analyseSamples(values, false),
}

export const report: Verb = {
  name: 'report',
  about: 'analyse, and print the summary',
  options: ANALYSE_OPTIONS,
  run: (values) => analyseSamples(values, true),
}

async function analyseSamples(values: Values, printsSummary: boolean): Promise<number> {
  const samples = values.list('samples').map((file) => resolve(file))
  const [first] = samples
  const directory = values.text('out')
  if (!first) throw new InputError('--samples: required: files with the header of samples.csv')
  if (!directory) throw new InputError('--out: required: the folder for the results')
  const run = runGiven(values.text('run'), samples)
  const rscript = which('Rscript')
  if (!rscript)
    throw new MeasurementError('analyse: R is missing. Install it with: sudo apt-get install r-base-core r-cran-ggpubr r-cran-rmarkdown')
  const out = resolve(directory)
  const { analysis, summary } = await judge({
    rscript,
    samples,
    out,
    run,
    modes: values.text('modes')?.split(',') ?? (run ? undefined : rolesIn(samples)),
    gate: gateGiven(values),
    ...lookGiven(values, run),
    report: !values.has('no-report'),
  })
  const { verdict, reasons } = analysis
  const outcome: Outcome = { verdict, reasons, parts: { analysis: summary }, exitCode: exitCodeOf(verdict), analysis }
  writeSummary(outcome, out)
  if (printsSummary) print(composeSummary(outcome))
  print([`Verdict: ${verdict}`, ...reasons.map((reason) => `  ${reason}`)].join('\n'))
  return outcome.exitCode
}

/** The roles, or undefined if the files cannot be read as samples. R then reports why. */
function rolesIn(files: readonly string[]): string[] | undefined {
  if (!files.every((file) => existsSync(file))) return undefined
  const modes = modesIn(files.map((file) => readFileSync(file, 'utf8')))
  return modes?.length ? inRoles(modes) : undefined
}
