/** `measure`: samples.csv and run.json, for an analysis elsewhere. */
import { measure as measureSettled } from '../gate.ts'
import { inputsFrom } from './given.ts'
import { RUN_OPTIONS } from './options.ts'
import { withoutVerdict } from './run.ts'
import type { Verb } from './verb.ts'

export const measure: Verb = {
  name: 'measure',
  about: 'measure only: samples.csv and run.json',
  options: RUN_OPTIONS,
  run: (values) => withoutVerdict(inputsFrom(values), measureSettled),
}
