/** `study`: compares the modes of one revision, without a gate. */
import { inputsFrom } from './given.ts'
import type { Option } from './option.ts'
import { RUN_OPTIONS } from './options.ts'
import { runGate } from './run.ts'
import type { Verb } from './verb.ts'

const NO_BASE: Option = {
  name: 'baseline',
  value: 'none',
  meaning: 'only none, since a study has no base',
  byDefault: 'none',
  allowed: ['none'],
}

export const study: Verb = {
  name: 'study',
  about: 'compare modes of one revision, without a gate',
  options: RUN_OPTIONS.map((option) => (option.name === 'baseline' ? NO_BASE : option)),
  run: (values) => runGate(inputsFrom(values, { baseline: 'none' }, true)),
}
