/** A verb of the command line. */
import type { Option } from './option.ts'
import type { Values } from './parse.ts'

export interface Verb {
  name: string
  /** A sentence, without its full stop. */
  about: string
  options: readonly Option[]
  /** @returns the exit code @throws InputError, MeasurementError */
  run: (values: Values) => Promise<number>
}
