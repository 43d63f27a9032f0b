/** `run`: measures base and head, and decides. Other verbs that measure use the same gate. */
import { join } from 'node:path'
import { invalidOutcome, type Outcome, thrownOutcome } from '../analyse/outcome.ts'
import { composeSummary, writeSummary } from '../analyse/summary.ts'
import type { Inputs } from '../config/inputs.ts'
import { gate } from '../gate.ts'
import { NO_EVENT } from '../revisions/event.ts'
import { type Settled, settle } from '../revisions/settle.ts'
import { InputError, messageOf } from '../system/errors.ts'
import { type Job, withJob } from '../system/job.ts'
import { inputsFrom } from './given.ts'
import { RUN_OPTIONS } from './options.ts'
import { print, say } from './terminal.ts'
import type { Verb } from './verb.ts'

export const run: Verb = {
  name: 'run',
  about: 'measure base and head, and decide',
  options: RUN_OPTIONS,
  run: (values) => runGate(inputsFrom(values)),
}

/** The gate on the command line. A failed measurement is reported like any other result. */
export async function runGate(inputs: Inputs): Promise<number> {
  const outcome = await onCommandLine(inputs, gate, thrownOutcome)
  writeSummary(outcome, inputs.out)
  print(`\n${composeSummary(outcome)}`)
  if (!inputs.study || !outcome.analysis) print(`Verdict: ${outcome.verdict}`)
  if (outcome.analysis) print(`Report: ${join(inputs.out, 'report.html')}`)
  return outcome.exitCode
}

/** Stages of the pipeline, applied to a settled comparison. */
type Stages<T> = (settled: Settled, inputs: Inputs, job: Job) => Promise<T>

/** Runs stages that end before there is a verdict. */
export async function withoutVerdict(inputs: Inputs, stages: Stages<unknown>): Promise<number> {
  const failed = await onCommandLine(
    inputs,
    async (settled, given, job) => {
      await stages(settled, given, job)
      return undefined
    },
    (error) => invalidOutcome(messageOf(error)),
  )
  if (!failed) return 0
  print(`\n${composeSummary(failed)}\nVerdict: ${failed.verdict}`)
  return failed.exitCode
}

/** @throws InputError; any other error becomes an outcome */
function onCommandLine<T>(
  inputs: Inputs,
  stages: Stages<T>,
  outcomeOf: (error: unknown, signal: AbortSignal) => Outcome,
): Promise<T | Outcome> {
  return withJob<T | Outcome>(say, async (job) => {
    try {
      return await stages(await settle(inputs, NO_EVENT, job), inputs, job)
    } catch (error) {
      if (error instanceof InputError) throw error
      return outcomeOf(error, job.signal)
    }
  })
}
