/** `plan`: prints what a run would do. */
import { plan as planned } from '../gate.ts'
import { dryPlan } from './dry-plan.ts'
import { inputsFrom } from './given.ts'
import { DRY, RUN_OPTIONS } from './options.ts'
import { withoutVerdict } from './run.ts'
import type { Verb } from './verb.ts'

export const plan: Verb = {
  name: 'plan',
  about: 'show what run would do and how long it would take, after a short pilot; --dry needs no pilot',
  options: [DRY, ...RUN_OPTIONS],
  run: (values) => (values.has(DRY.name) ? dryPlan(inputsFrom(values)) : withoutVerdict(inputsFrom(values), planned)),
}
