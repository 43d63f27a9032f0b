/** Values of the command line -> validated inputs. */
import type { Inputs } from '../config/inputs.ts'
import { readInputs } from '../config/inputs.ts'
import { OUT_DIRECTORY } from './options.ts'
import type { Values } from './parse.ts'

/** @param fixed values that the verb sets itself; they win @throws InputError */
export function inputsFrom(values: Values, fixed: Record<string, string> = {}, study = false): Inputs {
  return readInputs(
    { get: (key) => fixed[key] ?? values.text(key) },
    { workspace: '.', out: OUT_DIRECTORY, yes: values.has('yes'), study, token: process.env.GITHUB_TOKEN ?? '' },
  )
}
